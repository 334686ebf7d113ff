/** An idle blob service does nothing. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveBlobs } from './serve.ts';

test('the event loop is watched, which wakes it all the time, from the first scrape on', async (t) => {
  const hooks = createRequire(import.meta.url)(
    'node:perf_hooks',
  ) as typeof import('node:perf_hooks');
  const watch = t.mock.method(hooks, 'monitorEventLoopDelay');
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-blobs-idle-'));
  const blobs = await serveBlobs({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    nodeUrl: 'http://127.0.0.1:1',
  });
  t.after(async () => {
    await blobs.stop();
    rmSync(dataDir, { recursive: true });
  });
  assert.equal(watch.mock.callCount(), 0);
  for (const time of ['first', 'second']) {
    const text = await (await fetch(`${blobs.url}/metrics`)).text();
    assert.match(text, /nodejs_eventloop_lag_seconds/, time);
    assert.match(text, /netd_blobs_stored 0/, time);
  }
  assert.equal(watch.mock.callCount(), 1);
});
