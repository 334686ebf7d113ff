/** A real node with agents, verifiers, and orders in every status. */
import assert from 'node:assert/strict';
import { beaconOf, hashOfDigit, profileOf, resultOf, workOrderOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { HttpNode } from './http-node.ts';
import { takeRole } from './roles.ts';
import { slowClock } from './slow-clock.ts';

const WORK_VERIFIERS = ['vera', 'vito', 'viki'] as const;
const NET = 1_000_000;
const LONG = { heights: 100_000, milliseconds: 86_400_000 };

/**
 * alice requests work, bob works, and carol (recruited by alice) is available. Orders: `open` and `targeted` (for
 * bob) OPEN, `free` without requirements, `taken` ACCEPTED, `review` VERIFYING, `verified` in its dispute window,
 * `paid` PAID, `cancelled` REJECTED.
 */
export async function openOrderFixtures(): Promise<HttpNode> {
  // Tests may outlast the 30 seconds of `verified`'s dispute window, so block time runs slower.
  const node = await HttpNode.start({ clock: slowClock(20) });
  const { actorId: operator } = node.running.node.dataDir.operator;
  for (const verifier of WORK_VERIFIERS) {
    await node.join(verifier);
    await node.act(operator, 'transfer', { to: verifier, amount: 100 * NET });
    await takeRole(node, verifier, 'VERIFIER', {
      actions: ['voteWork'],
      profile: profileOf(verifier, 'VERIFIER'),
      independenceGroup: `group-${verifier}`,
    });
  }
  await node.join('alice');
  await node.join('bob', { description: 'translates' });
  await node.join('carol', { referrerAgentId: 'alice' });
  const actions = ['createWorkOrder', 'cancelWorkOrder'];
  await node.act('alice', 'extendAgentCapabilities', { agentId: 'alice', actions });
  await node.act(operator, 'transfer', { to: 'alice', amount: 5_000 * NET });
  const bobs = beaconOf('bob', node.height, {
    capabilities: ['Translate', 'code_review', 'translate'],
    protocols: ['A2A/1.0'],
  });
  await node.act('bob', 'publishBeacon', bobs);

  const create = (orderId: string, members: JsonObject = {}) => {
    const terms = { acceptWithin: LONG, sealedVotes: false, ...members };
    return node.act('alice', 'createWorkOrder', workOrderOf(orderId, terms));
  };
  const accept = (orderId: string) => node.act('bob', 'acceptWork', { orderId, agentId: 'bob' });
  const review = async (orderId: string): Promise<string[]> => {
    await create(orderId);
    await accept(orderId);
    await node.act('bob', 'submitWorkResult', resultOf(orderId));
    // The next block draws the committee.
    await node.act(operator, 'transfer', { to: 'alice', amount: 1 });
    const { order } = await node.document(`/v1/work-orders/${orderId}`);
    const { committee } = (order as JsonObject)['verification'] as {
      committee: { verifierId: string }[];
    };
    assert.equal(committee.length, 3);
    return committee.map(({ verifierId }) => verifierId);
  };
  const verify = async (orderId: string): Promise<void> => {
    for (const verifierId of (await review(orderId)).slice(0, 2)) {
      const payload = { orderId, verifierId, vote: 'ACCEPT', evidenceHash: hashOfDigit('e') };
      await node.act(verifierId, 'voteWork', payload);
    }
  };

  await verify('paid');
  await node.act('alice', 'openDispute', { orderId: 'paid', reasonHash: hashOfDigit('f') });
  await node.act(operator, 'resolveDispute', { orderId: 'paid', outcome: 'PAID' });
  await create('cancelled');
  await node.act('alice', 'cancelWorkOrder', { orderId: 'cancelled' });
  await create('taken');
  await accept('taken');
  await verify('verified');
  await review('review');
  await create('open', { requirements: ['translate', 'Code Review', 'fly'], funding: 30_000_000 });
  await create('targeted', { agentId: 'bob', requirements: ['dig'] });
  await create('free', { requirements: [] });
  return node;
}
