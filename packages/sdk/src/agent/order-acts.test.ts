import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WorkScope } from '@netd/formats';
import { utf8Bytes } from '@netd/protocol';
import { disproveOnce, disputeBondOf, mustAnswer } from './order-acts.ts';
import type { AgentParts, WorkOrder } from './parts.ts';

const orderOf = (members: Partial<WorkOrder>): WorkOrder =>
  ({
    phase: 'CONTESTED',
    funding: 5,
    requesterId: 'rita',
    workerId: 'walt',
    dispute: { openedBy: 'rita' },
    ...members,
  }) as WorkOrder;

describe('a dispute', () => {
  test('names half the funding as bond, rounded up, unless the order keeps version 1', () => {
    assert.equal(disputeBondOf(orderOf({ rulesVersion: 2 })), 3);
    assert.equal(disputeBondOf(orderOf({})), null);
  });
  test('is answered by the other side only', () => {
    assert.deepEqual(
      ['rita', 'walt'].map((agentId) => mustAnswer(orderOf({ rulesVersion: 2 }), agentId)),
      [false, true],
    );
    assert.equal(mustAnswer(orderOf({ rulesVersion: 2, phase: 'DISPUTED' }), 'walt'), false);
  });
});

test('a result that is only too large is not proven, because the proof would pay its worker', async () => {
  const scope: WorkScope = {
    schema: 'NET-WORK-SCOPE/1',
    title: 'A text',
    instructions: '',
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: 3 },
    acceptance: [{ kind: 'json-schema', schema: { type: 'string' } }],
  };
  const order = orderOf({ acceptanceHash: 'a'.repeat(64), status: 'VERIFYING' });
  const acts = new Proxy({} as AgentParts, {
    get: () => {
      throw new Error('it acts');
    },
  });
  assert.equal(await disproveOnce(acts, order, scope, utf8Bytes('"good"')), false);
  await assert.rejects(disproveOnce(acts, order, scope, utf8Bytes('12345')), /it acts/);
});
