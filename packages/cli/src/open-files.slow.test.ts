/** Clients open every file that the system permits a node. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { RESERVED_FILES } from '@netd/server/open-files';
import { until } from '@netd/protocol/testing';
import { AgentKey, NetClient, NetError } from '@netd/sdk';
import { Command, LAUNCHER, startDev } from './testing/command.ts';

const DEV = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
const CONNECTIONS = 64;
const skip = existsSync('/proc/self/limits')
  ? false
  : 'the system does not tell its limits as Linux does';

/** Runs `netd` in a shell with this limit of open files. */
const limited = (files: number) =>
  ['bash', '-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, LAUNCHER] as const;

test('a node keeps the files that it needs itself', { skip }, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-files-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const few = await new Command(DEV, home, limited(RESERVED_FILES + CONNECTIONS - 1)).ended;
  assert.equal(few.code, 1);
  assert.match(
    few.stderr,
    /^netd: this process may open \d+ files, and .*: allow more with ulimit/m,
  );
  assert.ok(!existsSync(join(home, 'chain')), 'nothing was begun');

  const [dev, { url }] = await startDev(DEV, home, limited(RESERVED_FILES + CONNECTIONS));
  t.after(() => dev.child.kill('SIGKILL'));
  const client = new NetClient({ url });
  await client.network();
  let refused = 0;
  for (let count = 0; count < 4 * CONNECTIONS; count++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => refused++);
    // The refusal may arrive before the connection is reported.
    await once(socket, 'connect').catch(() => {});
  }
  // Its worker threads start only now. Connections of this client may have been closed for others, and new
  // ones are refused until silent ones are closed.
  const ada = { actorId: 'ada', key: await AgentKey.generate() };
  await until(() =>
    client.register(ada).catch((error: unknown) => {
      if (error instanceof NetError && error.code === 'UNREACHABLE') return null;
      throw error;
    }),
  );
  await until(() => refused > 3 * CONNECTIONS);
  assert.match(dev.stderr, /^$/);
});

test('a checkpoint that everybody reads at once takes no files from the node, and stays', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-files-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const readers = 8 * CONNECTIONS;
  const [dev, { url }] = await startDev(DEV, home, limited(RESERVED_FILES + readers + 8));
  t.after(() => dev.child.kill('SIGKILL'));
  const client = new NetClient({ url });
  await client.register({ actorId: 'ada', key: await AgentKey.generate() });
  const checkpoint = async () => {
    const answer = await fetch(`${url}/v1/state/checkpoint`);
    return answer.ok ? ((await answer.json()) as { checkpointHash: string }) : null;
  };
  const { checkpointHash } = await until(checkpoint);
  const path = `/v1/state/chunks/0?checkpoint=${checkpointHash}`;
  const sockets = await Promise.all(
    Array.from({ length: readers }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      t.after(() => socket.destroy());
      await once(socket, 'connect');
      // Send a first line: a node that runs short of connections closes silent ones early.
      socket.write(`GET ${path} HTTP/1.1\r\n`);
      return socket;
    }),
  );
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      socket.write('Host: x\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString().slice(0, 15);
    }),
  );
  assert.deepEqual([...new Set(answers)], ['HTTP/1.1 200 OK']);
});
