/** A node's problems are logged once, appear in metrics, and make a load balancer avoid it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import { pino, type Logger } from 'pino';
import { serve, type RunningNode } from '@netd/node';
import { Store } from '@netd/engine';
import { startFollower } from '@netd/testkit/start-follower';
import { join as register, startFork } from '@netd/testkit/forked-chain';
import { freePort } from '@netd/testkit/free-port';
import { tempDir } from '@netd/testkit/temp-dir';

interface Line {
  level: number;
  time: number;
  issue?: string;
  msg: string;
}

function listen(): { lines: Line[]; logger: Logger } {
  const lines: Line[] = [];
  const logger = pino({ level: 'info' }, { write: (text) => lines.push(JSON.parse(text) as Line) });
  return { lines, logger };
}

const options = { host: '127.0.0.1', port: 0, blockTime: 1, idleBlockTime: 100_000_000 };

async function figure(url: string, kind: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^netd_health_issue\\{kind="${kind}"\\} (\\d)$`, 'm').exec(text)?.[1];
}

async function readiness(url: string): Promise<[number, string]> {
  const response = await fetch(`${url}/readyz`);
  const { detail = '' } = (await response.json()) as { detail?: string };
  return [response.status, detail];
}

async function startDamaged(t: TestContext, logger: Logger): Promise<RunningNode> {
  const dataDir = tempDir(t);
  const before = await serve({ ...options, dataDir });
  await register(before, 'alice');
  await register(before, 'bob');
  await before.stop();
  const store = Store.open(join(dataDir, 'chain'));
  const text = store.tables.blocks.get(1)!;
  await store.tables.blocks.put(1, text.replace(/"stateRoot":"\w{8}/, '"stateRoot":"abababab'));
  await store.close();
  const node = await serve({ ...options, dataDir, logger });
  t.after(() => node.stop());
  return node;
}

test('a damaged block is in the log once, in /metrics, and no reader is sent here', async (t) => {
  const { lines, logger } = listen();
  const { url, node } = await startDamaged(t, logger);
  await until(() => node.faults().length > 0);
  assert.equal(await figure(url, 'damaged-block'), '1');
  assert.equal(await figure(url, 'disk'), '0');
  const [status, detail] = await readiness(url);
  assert.equal(status, 503);
  assert.match(detail, /block 1 on disk is not as certified/);
  assert.equal((await fetch(`${url}/livez`)).status, 200);
  const told = (): Line[] => lines.filter(({ issue }) => issue === 'damaged-block');
  await until(() => told().length > 0);
  assert.deepEqual([told().length, told()[0]?.level], [1, 50]);
  assert.ok(Number(told()[0]?.time) > 0);
});

test('a follower whose origins are gone warns, says when they are back, and keeps its lag', async (t) => {
  const { lines, logger } = listen();
  const [dataDir, port] = [tempDir(t), await freePort()];
  const writer = await serve({ ...options, dataDir, port });
  const follower = await startFollower(t, [writer.url], { logger });
  await register(writer, 'alice');
  await until(() => follower.node.chain.height === 1);
  await writer.stop();
  const told = (): Line[] => lines.filter(({ issue }) => issue === 'no-origin');
  await until(() => told().length === 1);
  assert.match(`${told()[0]?.level} ${told()[0]?.msg}`, /^40 no origin answers/);
  assert.equal(await figure(follower.url, 'no-origin'), '1');
  const { writes } = (await (await fetch(`${follower.url}/readyz`)).json()) as { writes: boolean };
  assert.equal(writes, false);
  assert.deepEqual((await readiness(follower.url))[0], 200, 'it serves what it has');
  assert.match(await (await fetch(`${follower.url}/metrics`)).text(), /^netd_behind_blocks 0$/m);
  const again = await serve({ ...options, dataDir, port });
  t.after(() => again.stop());
  await until(() => told().length === 2);
  assert.match(`${told()[1]?.level} ${told()[1]?.msg}`, /^30 no more: no origin/);
});

test('a follower that has halted is not ready', async (t) => {
  const { lines, logger } = listen();
  const { writer, twin } = await startFork(t);
  const follower = await startFollower(t, [writer.url, twin.url], { logger });
  await until(() => follower.node.status.halted);
  const [status, detail] = await readiness(follower.url);
  assert.equal(status, 503);
  assert.match(detail, /validators of this chain contradict themselves/);
  assert.equal(await figure(follower.url, 'fork'), '1');
  await until(() => lines.some(({ issue, level }) => issue === 'fork' && level === 50));
});
