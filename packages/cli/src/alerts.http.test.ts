/** The alarms and the dashboard for operators use only metrics that a running writer or follower exports; testnet.slow.test.ts checks the metrics of validators. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startFollower } from '@netd/testkit/start-follower';
import { startDevnet } from './testing/devnet.ts';

const read = (name: string): string =>
  readFileSync(
    new URL(`../../../handouts/operator-handoff/monitoring/${name}`, import.meta.url),
    'utf8',
  );

test('every figure of an alarm or the dashboard is on a running node', async (t) => {
  const devnet = await startDevnet();
  const { url } = devnet.node;
  t.after(() => devnet.stop());
  const copy = await startFollower(t, [url]);
  const told = new Set<string>();
  for (const node of [url, copy.url]) {
    const text = await (await fetch(`${node}/metrics`)).text();
    for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) told.add(name);
  }
  const asked = (read('alerts.yml') + read('dashboard.json')).matchAll(/netd_[a-z_]+/g);
  const names = new Set(
    [...asked]
      .map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => !/^netd_(validator|quorum|engine)_/.test(name)),
  );
  assert.ok(names.size >= 5, 'the files name figures');
  assert.deepEqual(
    [...names].filter((name) => !told.has(name)),
    [],
  );
});
