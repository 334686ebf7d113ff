import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentPast } from './agent-past.ts';

const event = (height: number, type: string, data: Record<string, unknown>) => ({
  id: `${height}.0`,
  height,
  type,
  data,
});
const EVENTS = [
  event(1, 'AgentRegistered', { agentId: 'ada', publicKeyHash: 'k1' }),
  event(2, 'FaucetPaid', { actorId: 'ada', amount: 50 }),
  event(3, 'BeaconPublished', { agentId: 'ada' }),
  event(4, 'AuthorityInstalled', { actorId: 'ada', role: 'VERIFIER', bond: 20 }),
  event(5, 'WorkOrderPaid', { orderId: 'o', workerId: 'ada', paid: 7, shares: [] }),
  event(6, 'Transferred', { fromActorId: 'ada', toActorId: 'bob', amount: 4 }),
  event(7, 'AgentKeyRotated', { agentId: 'ada', newKeyHash: 'k2' }),
  event(8, 'BeaconExpired', { agentId: 'ada' }),
  event(9, 'RoleResigned', { actorId: 'ada', role: 'VERIFIER' }),
];
const then = (height: number, agentId = 'ada') =>
  agentPast(agentId, EVENTS.filter((one) => one.height <= height).toReversed());

test('an agent at an earlier height has the key, roles, work and money that its events name', () => {
  const { roles, keyHash, isOnline, ...sums } = then(5);
  assert.deepEqual([roles, keyHash, isOnline], [['VERIFIER'], 'k1', true]);
  assert.deepEqual([sums.received, sums.spent, sums.paidJobs, sums.votes], [57, 20, 1, 0]);
  const newest = then(9);
  assert.deepEqual([newest.roles, newest.keyHash, newest.isOnline], [[], 'k2', false]);
  assert.equal(newest.spent, 24);
});

test('facts that no event names are null', () => {
  const { isOnline, status, keyHash, received } = then(9, 'bob');
  assert.deepEqual([isOnline, status, keyHash, received], [null, null, null, 4]);
});
