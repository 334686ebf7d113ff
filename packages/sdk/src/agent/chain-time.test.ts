import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetClient } from '../client.ts';
import { ChainTime } from './chain-time.ts';
import { Poller } from './poller.ts';

test('the time of a laboratory stays as it was if the node answers with a clock that is no date', async () => {
  const end = new AbortController();
  const clocks = [new Date(Date.now() + 3_600_000).toISOString(), 'soon', undefined];
  const read = async () => {
    const clock = clocks.shift();
    if (clocks.length === 0) end.abort();
    return { clock, height: 1, reverts: 0 };
  };
  const time = new ChainTime();
  await time.follow({ read } as unknown as NetClient, new Poller(end.signal));
  const ahead = time.now() - Date.now();
  assert.ok(Math.abs(ahead - 3_600_000) < 60_000, String(ahead));
});
