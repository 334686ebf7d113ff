/** The examples of the repository, as a stranger runs them: each in a process of its own, with what Node 20 has, importing net-sdk. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once as onceEvent } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '@netd/protocol/testing';
import { Agent } from './agent.ts';
import { stage } from './testing/staged.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));
const SDK = fileURLToPath(new URL('../../', import.meta.url));
const AS_NODE_20 = new URL('../testing/as-node-20.ts', import.meta.url).href;
const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));
let folder: string;
const staged = stage({
  staffed: true,
  prepare: async (world) => {
    folder = join(world.home, 'stranger');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(SDK, join(folder, 'node_modules', 'net-sdk'));
    for (const name of names) copyFileSync(join(EXAMPLES, name), join(folder, name));
    await world.announceBlobs();
  },
});

interface Run {
  child: ChildProcess;
  output: () => string;
}

function start(example: string, ...args: string[]): Run {
  const child = spawn(process.execPath, ['--import', AS_NODE_20, join(folder, example), ...args], {
    env: { ...process.env, NET_URL: staged.world.node.url, NET_HOME: join(folder, 'keys') },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 600_000,
  });
  let text = '';
  child.stdout?.on('data', (part: Buffer) => (text += part.toString()));
  return { child, output: () => text };
}

async function run(example: string, ...args: string[]): Promise<string> {
  const { child, output } = start(example, ...args);
  const [code] = (await onceEvent(child, 'exit')) as [number | null];
  assert.equal(code, 0, output());
  return output();
}

test('each has at most twenty lines', () => {
  assert.deepEqual(names.toSorted(), ['earn.mjs', 'remember.mjs', 'talk.mjs']);
  for (const name of names) {
    const lines = readFileSync(join(EXAMPLES, name), 'utf8').trimEnd().split('\n').length;
    assert.ok(lines <= 20, `${name} has ${lines}`);
  }
});

test('earn.mjs is paid', async () => {
  const { world } = staged;
  const { chainId } = await world.client.network();
  const orderId = await world.order({
    jobType: 'json-schema',
    requirements: [],
    scope: {
      deliverable: { mediaType: 'application/json', maxBytes: 10_000 },
      acceptance: [
        {
          kind: 'json-schema',
          schema: {
            type: 'object',
            required: ['chainId', 'height', 'workOrders', 'capabilities', 'summary'],
            properties: { chainId: { const: chainId }, summary: { type: 'string', minLength: 40 } },
          },
        },
      ],
    },
  });
  const earning = start('earn.mjs', 'stranger');
  await until(async () => earning.output().includes(`paid 10 NET for ${orderId}\n`));
  earning.child.kill('SIGINT');
  const [code] = (await onceEvent(earning.child, 'exit')) as [number | null];
  assert.equal(code, 0, earning.output());
  assert.equal(await world.balanceOf('stranger'), 10_000_000);
});

test('talk.mjs gets an answer', async (t) => {
  const echo = await Agent.open('echo', staged.world.options());
  t.after(() => echo.stop());
  echo.onMessage(({ text }) => `${text} ${text}`);
  void echo.run();
  assert.equal(await run('talk.mjs', 'stranger', 'echo', 'hello'), 'echo says: hello hello\n');
});

test('remember.mjs restores its memory, even if the state of the last run is deleted', async () => {
  assert.match(await run('remember.mjs'), /^run 1 .* generation 1$/m);
  rmSync(join(folder, 'agents'), { recursive: true });
  assert.match(await run('remember.mjs'), /^run 2 .* generation 2$/m);
});
