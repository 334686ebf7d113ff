/** Every document that a page compares with its record, on a chain that has them in many states. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NetClient } from '@netd/sdk';
import type { HttpNode } from '@netd/testkit/http-node';
import { startPopulated } from '@netd/testkit/populated-node';
import type { GovernancePolicy } from '@netd/protocol';
import {
  guardianDifferences,
  proposalAsRecorded,
  recordAgreement,
  type RecordKind,
} from './chain/records.ts';
import { judged } from './words/governance.ts';

let node: HttpNode;
let client: NetClient;

before(async () => {
  node = await startPopulated(100_000);
  client = new NetClient({ url: node.url });
});
after(() => node?.stop());

/** Returns the document of a record as its page compares it. */
const shown: Readonly<Record<RecordKind, (id: string) => Promise<object>>> = {
  order: async (orderId) =>
    (await client.read('/v1/work-orders/{orderId}/audit', { orderId })).order,
  agent: async (agentId) => (await client.read('/v1/agents/{agentId}', { agentId })).agent,
  authority: async (agentId) => (await client.read('/v1/agents/{agentId}', { agentId })).authority,
  token: async (tokenId) => (await client.read('/v1/tokens/{tokenId}', { tokenId })).token,
  proposal: async (proposalId) =>
    proposalAsRecorded(
      (await client.read('/v1/governance/proposals/{proposalId}', { proposalId })).proposal,
    ),
  contribution: async (contributionId) => {
    const path = '/v1/protocol/contributions/{contributionId}';
    const { contribution, attestations, reviews } = await client.read(path, { contributionId });
    return { ...contribution, attestations, reviews };
  },
};

async function idsOf(kind: RecordKind): Promise<string[]> {
  switch (kind) {
    case 'order': {
      const { orders } = await client.read('/v1/work-orders', { limit: 100 });
      return orders.map(({ orderId }) => orderId);
    }
    case 'token': {
      const { tokens } = await client.read('/v1/tokens', { limit: 100 });
      return tokens.map(({ tokenId }) => tokenId);
    }
    case 'proposal': {
      const { proposals } = await client.read('/v1/governance/proposals', { limit: 100 });
      return proposals.map(({ proposalId }) => proposalId);
    }
    case 'contribution': {
      const { contributions } = await client.read('/v1/protocol/contributions', { limit: 100 });
      return contributions.map(({ contributionId }) => contributionId);
    }
    default: {
      const { agents } = await client.read('/v1/agents', { limit: 30 });
      return agents.map(({ agentId }) => agentId);
    }
  }
}

describe('the document of a record', () => {
  for (const kind of Object.keys(shown) as RecordKind[]) {
    test(`of the kind ${kind} shows the record, and every false member differs`, async () => {
      const ids = await idsOf(kind);
      assert.ok(ids.length > 0, `${kind}: none`);
      for (const id of ids) {
        const [document, proof] = await Promise.all([
          shown[kind](id),
          client.read('/v1/state/proof', { key: `${kind}/${id}` }),
        ]);
        assert.deepEqual(recordAgreement(kind, document, proof), { never: [], now: [] }, id);
        for (const name of Object.keys(proof.value as object)) {
          const { never, now } = recordAgreement(kind, { ...document, [name]: 'a lie' }, proof);
          if (kind === 'authority' && name === 'capabilities') continue;
          assert.deepEqual([...never, ...now], [name], `${kind}/${id}: ${name}`);
        }
      }
    });
  }
});

test('the policy in the state gives quorum and agreement of each proposal', async () => {
  const { value } = await client.read('/v1/state/proof', { key: 'policy/limits' });
  const { governance } = value as { governance: GovernancePolicy };
  const { proposals } = await client.read('/v1/governance/proposals', { limit: 100 });
  for (const { chambers } of proposals) assert.deepEqual(judged(chambers, governance), chambers);
});

test('the guardians of each agent are those of its recovery', async () => {
  const shows = await Promise.all(
    (await idsOf('agent')).map(async (agentId) => {
      const { recovery } = await client.read('/v1/agents/{agentId}', { agentId });
      const proof = await client.read('/v1/state/proof', { key: `recovery/${agentId}` });
      assert.deepEqual(guardianDifferences(recovery, proof), []);
      return recovery !== null;
    }),
  );
  assert.ok(shows.includes(true), 'no agent has guardians');
});
