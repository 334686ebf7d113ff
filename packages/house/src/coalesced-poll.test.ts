import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoalescedPoll } from './coalesced-poll.ts';

test('a burst of a thousand events causes two polls, and a failed poll does not end them', async (t) => {
  const end = new AbortController();
  t.after(() => end.abort());
  let polls = 0;
  const errors: unknown[] = [];
  const all = new CoalescedPoll({
    poll: async () => {
      polls += 1;
      await Promise.resolve();
      if (polls === 1) throw new Error('once');
    },
    failed: (error) => errors.push(error),
    signal: end.signal,
  });
  await Promise.all(Array.from({ length: 1_000 }, () => all.request()));
  assert.deepEqual([polls, errors.length], [2, 1]);
  await all.request();
  assert.equal(polls, 3);
});
