import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  acceptanceRate,
  agentsOnline,
  jobsPerHour,
  juryAgreement,
  timeToPayment,
  unetPerHour,
  type Timed,
} from './activity.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE + 1;
/** An event so many minutes before now. */
const at = (minutes: number, type: string, data: Timed['data'] = {}): Timed => ({
  time: NOW - minutes * MINUTE,
  type,
  data,
});
const paid = (minutes: number, orderId = 'o-1'): Timed =>
  at(minutes, 'WorkOrderPaid', { orderId, paid: 5_000_000 });
const ended = (minutes: number, workerId: string | null): Timed =>
  at(minutes, 'WorkOrderRejected', { workerId });

describe('charts', () => {
  it('give rates per hour, and a zero for each finished step without a job', () => {
    const events = [paid(0), paid(0, 'o-2'), paid(3)];
    assert.deepEqual(jobsPerHour(events, NOW).values, [60, 0, 0]);
    assert.deepEqual(unetPerHour(events, NOW).values, [3e8, 0, 0]);
    assert.equal(jobsPerHour([paid(60 * 24 * 30)], NOW).values.length <= 49, true);
    assert.deepEqual(jobsPerHour([], NOW).values, [0]);
  });

  it('count as refused only jobs that had a worker', () => {
    const events = [paid(0), ended(0, 'wim'), ended(0, null), ended(2, 'wim')];
    assert.deepEqual(acceptanceRate(events, NOW).values, [0, null, 0.5]);
  });

  it('measure the payment from the last acceptance', () => {
    const take = (minutes: number): Timed => at(minutes, 'WorkAccepted', { orderId: 'o-1' });
    const { values } = timeToPayment([paid(0), paid(0, 'o-2'), take(9), take(3)], NOW);
    assert.deepEqual(values, [3 * MINUTE]);
  });

  it('compare each vote with the majority of its order', () => {
    const vote = (orderId: string, cast: string): Timed =>
      at(0, 'WorkVoted', { orderId, vote: cast });
    const votes = ['ACCEPT', 'ACCEPT', 'ACCEPT', 'REJECT'].map((cast) => vote('o-1', cast));
    assert.deepEqual(
      juryAgreement([...votes, vote('o-2', 'REJECT'), vote('o-2', 'UNJUDGEABLE')], NOW).values,
      [0.875],
    );
  });

  it('count agents back from now, and no renewal', () => {
    const beacon = (minutes: number, agentId: string, sequence: number): Timed =>
      at(minutes, 'BeaconPublished', { agentId, sequence });
    const events = [
      beacon(3, 'ada', 1),
      beacon(2, 'ada', 2),
      beacon(2, 'old', 7),
      at(1, 'BeaconExpired', { agentId: 'bob' }),
      at(0, 'BeaconWithdrawn', { agentId: 'ada' }),
    ];
    assert.deepEqual(agentsOnline(events, NOW, 1).values, [3, 3, 2, 1]);
  });
});
