import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '@netd/ledger';
import { EventLines } from './event-lines.ts';
import { Terminal } from './terminal.ts';

const lines = new EventLines();
const textOf = (type: string, data: Record<string, unknown>): string | undefined =>
  lines.describe({ type, data })?.text;

test('an order has lines from its offer to its payment, votes counted', () => {
  const orderId = 'order-1';
  const party = { orderId, requesterId: 'rita', workerId: 'wim' };
  assert.equal(
    textOf('WorkOrderCreated', { ...party, agentId: null, funding: 10_500_000 }),
    'rita offered 10.5 NET for order-1',
  );
  assert.equal(textOf('WorkAccepted', party), 'wim accepted order-1');
  assert.equal(
    textOf('WorkVoted', { ...party, verifierId: 'vera', vote: 'ACCEPT' }),
    'vera voted on order-1: accepted',
  );
  textOf('WorkCommitteeDrawn', { ...party, verifierIds: ['vera', 'vito', 'viki'] });
  for (const [verifierId, said] of [
    ['vera', 'vera voted on order-1: rejected (1 of 3)'],
    ['vito', 'vito voted on order-1: rejected (2 of 3)'],
  ]) {
    assert.equal(textOf('WorkVoted', { ...party, verifierId, vote: 'REJECT' }), said);
  }
  assert.equal(
    textOf('WorkOrderRejected', { ...party, reason: 'VERIFICATION_REJECTED', refund: 1_000_000 }),
    'order-1 ended unpaid (verification rejected); rita got 1 NET back',
  );
});

test('every event of the ledger has words, whatever it holds, and long ids are short', () => {
  const id = 'x'.repeat(64);
  for (const type of Object.keys(EVENTS)) {
    const text = textOf(type, { agentId: id, orderId: id, actorId: id, verifierIds: [] });
    if (type === 'ReferralRecorded') assert.equal(text, undefined);
    else assert.ok(text !== undefined && text.length > 5 && !text.includes(id), `${type}: ${text}`);
  }
});

test('a busy second is counted, not printed', () => {
  const printed: string[] = [];
  const terminal = new Terminal((line) => printed.push(line));
  for (let i = 0; i < 1_000; i++) terminal.say(`line ${i}`);
  assert.equal(printed.length, 50);
});
