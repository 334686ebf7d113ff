import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FrameSums } from '@netd/protocol/frames';
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
const place = (minutes: number) => ({
  height: 600 - 6 * minutes,
  time: new Date(NOW - minutes * MINUTE).toISOString(),
});
/** A frame whose first block is so many minutes before now. */
const frame = (minutes: number, sums: Partial<FrameSums>): FrameSums =>
  ({
    first: place(minutes),
    last: place(minutes),
    paidJobs: 0,
    refusedJobs: 0,
    earned: 0,
    judgedVotes: 0,
    ...sums,
  }) as FrameSums;
const end = place(0);

describe('charts', () => {
  it('give rates per hour until the next frame, and leave out the unfinished one', () => {
    const frames = [
      frame(60, { paidJobs: 15, earned: 30 }),
      frame(30, {}),
      frame(10, { paidJobs: 7 }),
    ];
    assert.deepEqual(jobsPerHour(frames, end).values, [30, 0]);
    assert.deepEqual(unetPerHour(frames, end).values, [60, 0]);
    assert.deepEqual(jobsPerHour(frames, end).times, [
      NOW / 1_000 - 45 * 60,
      NOW / 1_000 - 20 * 60,
    ]);
    assert.deepEqual(jobsPerHour([], end).values, []);
  });

  it('join frames of less than a minute before they make a rate', () => {
    const frames = [
      frame(9, {}),
      frame(5, { paidJobs: 2 }),
      frame(4.5, { paidJobs: 1 }),
      frame(3, {}),
    ];
    assert.deepEqual(jobsPerHour(frames, end).values, [0, 90]);
  });

  it('have no value for a frame without such jobs, and no step without time', () => {
    const frames = [
      frame(9, { paidJobs: 3, refusedJobs: 1 }),
      frame(5, { paidJobs: 1 }),
      frame(5, {}),
    ];
    assert.deepEqual(acceptanceRate(frames, end).values, [0.75, null]);
  });

  it('turn the blocks that jobs waited into time', () => {
    const frames = [frame(5, { paidJobs: 2, waitedBlocks: 24 }), frame(3, {})];
    assert.deepEqual(timeToPayment(frames, end).values, [2 * MINUTE, null]);
  });

  it('compare votes with the majority of their jury', () => {
    const frames = [frame(5, { judgedVotes: 8, agreedVotes: 7 }), frame(3, {})];
    assert.deepEqual(juryAgreement(frames, end).values, [0.875, null]);
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
