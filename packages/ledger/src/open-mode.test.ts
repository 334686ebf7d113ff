import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_EXPIRY_DISTANCE, UNET_PER_NET, type ErrorCode, type JsonObject } from '@netd/protocol';
import { beaconOf } from '@netd/protocol/testing';
import { ACTIONS } from './actions/registry.ts';
import type { Submission } from './block-execution.ts';
import { accepted, checkpointOf, refused, verdictOf, workOrderOf } from './testing/index.ts';
import { seedMoney } from './testing/work.ts';
import { OPERATOR, TestChain } from './testing/test-chain.ts';

const openChain = (): TestChain => {
  const chain = new TestChain({ open: true }).join(['alice', 'bob'], ['createWorkOrder']);
  seedMoney(chain, 'alice', 20 * UNET_PER_NET);
  return chain;
};

test('an open chain executes an unsigned action like the signed intent', () => {
  const [open, signed] = [openChain(), openChain()];
  const payload = workOrderOf('o-1');
  const events = accepted(open.submit(open.openTransition('alice', 'createWorkOrder', payload)));
  assert.deepEqual(
    events,
    accepted(signed.submit(signed.intent('alice', 'createWorkOrder', payload))),
  );
  assert.deepEqual(open.record('order', 'o-1'), signed.record('order', 'o-1'));
});

test('an open chain takes signed intents and checks their signatures as any other', () => {
  const chain = openChain();
  const payload = checkpointOf('alice', 1);
  const forged = chain.intent('alice', 'commitMemoryCheckpoint', payload, {
    key: chain.keyOf('bob'),
  });
  assert.equal(verdictOf(chain.submit(forged)), 'SIGNATURE_INVALID');
  chain.does('alice', 'commitMemoryCheckpoint', payload);
});

/** The actions with a bare form have paths of their own. */
test('the actions with a bare form name an actor that their payload or its neighbour has', () => {
  const bare = [...ACTIONS.values()].filter(({ bareActor }) => bareActor !== undefined);
  for (const { name, bareActor, actor, payload } of bare) {
    assert.ok(actor === undefined || actor === bareActor, name);
    assert.equal(Object.hasOwn(payload.properties, bareActor ?? ''), actor !== undefined, name);
  }
  for (const name of ['createWorkOrder', 'commitMemoryCheckpoint', 'prepareMemoryHandover']) {
    assert.ok(
      bare.some((action) => action.name === name),
      name,
    );
  }
});

const commit = (chain: TestChain, actorId: string, members: JsonObject = {}): Submission =>
  chain.openTransition(actorId, 'commitMemoryCheckpoint', {
    ...checkpointOf('alice', 1),
    ...members,
  });

const REFUSALS: [rule: string, code: ErrorCode, provoke: (chain: TestChain) => Submission][] = [
  [
    'an action without a bare form',
    'SIGNED_INTENT_REQUIRED',
    (chain) => chain.openTransition('alice', 'publishBeacon', beaconOf('alice', chain.height)),
  ],
  [
    'what operators do, least of all',
    'SIGNED_INTENT_REQUIRED',
    (chain) =>
      chain.openTransition(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'retired' }),
  ],
  [
    'an action there is not',
    'SIGNED_INTENT_REQUIRED',
    (chain) => chain.openTransition('alice', 'constructor', {}),
  ],
  ['an unknown actor', 'ACTOR_UNKNOWN', (chain) => commit(chain, 'nobody')],
  [
    'a suspended agent',
    'AUTHORITY_INACTIVE',
    (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
      return commit(chain, 'alice');
    },
  ],
  ['the memory of another agent', 'CAPABILITY_AGENT_MISMATCH', (chain) => commit(chain, 'bob')],
  ['the memory of an agent by an operator', 'ACTOR_MISMATCH', (chain) => commit(chain, OPERATOR)],
  [
    'an action that the actor may not do',
    'CAPABILITY_MISSING',
    (chain) => {
      chain.join(['dave']);
      return chain.openTransition('dave', 'createWorkOrder', workOrderOf('o-1'));
    },
  ],
  [
    'a payload with a further member',
    'PAYLOAD_INVALID',
    (chain) => commit(chain, 'alice', { note: 'x' }),
  ],
  [
    "the action's own rules",
    'INSUFFICIENT_BALANCE',
    (chain) => chain.openTransition('bob', 'createWorkOrder', workOrderOf('o-1')),
  ],
];

describe('an open chain refuses, without a trace,', () => {
  for (const [rule, code, provoke] of REFUSALS) {
    test(`${rule}: ${code}`, () => {
      const chain = openChain();
      refused(chain, provoke(chain), code);
    });
  }
});

describe('the nonce of an open transition', () => {
  const again = (heights: number): string => {
    const chain = openChain();
    const first = chain.openTransition('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1));
    accepted(chain.submit(first));
    const { nonce } = first.envelope as { nonce: string };
    chain.ledger.advance(heights);
    const second = checkpointOf('alice', 2);
    return verdictOf(
      chain.submit(chain.openTransition('alice', 'commitMemoryCheckpoint', second, nonce)),
    );
  };
  test('cannot come again at once', () => assert.equal(again(0), 'NONCE_REPLAYED'));
  test('is remembered as long as that of an intent can be, and no longer', () => {
    // Executed at h, remembered until h − 1 + 5,000. The next block after n heights is h + n + 1.
    assert.equal(again(MAX_EXPIRY_DISTANCE - 2), 'NONCE_REPLAYED');
    assert.equal(again(MAX_EXPIRY_DISTANCE - 1), 'accepted');
  });
  test('is shared with signed intents of the same actor', () => {
    const chain = openChain();
    chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1), { nonce: 'shared' });
    const next = checkpointOf('alice', 2);
    refused(
      chain,
      chain.openTransition('alice', 'commitMemoryCheckpoint', next, 'shared'),
      'NONCE_REPLAYED',
    );
  });
});
