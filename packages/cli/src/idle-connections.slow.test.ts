/** A node with more idle connections than it may open files survives, and soon answers again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { LAUNCHER, startDev } from './testing/command.ts';

const FILES = 600;
const CLIENTS = 1_000;
const skip = existsSync('/proc/self/limits')
  ? false
  : 'the system does not tell its limits as Linux does';

/** Each request makes a node load another module. */
const PATHS: [path: string, init: RequestInit][] = [
  ['/livez', {}],
  ['/metrics', {}],
  ['/docs/formats', {}],
  ['/mcp', { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }],
];

for (const [what, bytes] of [['cold, by connections that say nothing', '']] as const) {
  test(`a node that is met ${what} lives and answers`, { skip, timeout: 600_000 }, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'netd-idle-'));
    const start = ['bash', '-c', `ulimit -n ${FILES}; exec "$0" "$@"`, process.execPath, LAUNCHER];
    const args = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
    const [dev, { url }] = await startDev(args, home, start as [string, ...string[]]);
    const sockets: Socket[] = [];
    t.after(async () => {
      for (const socket of sockets) socket.destroy();
      dev.child.kill('SIGKILL');
      await dev.ended;
      rmSync(home, { recursive: true, force: true });
    });
    for (let i = 0; i < CLIENTS; i++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => {}).resume();
      sockets.push(socket);
      await once(socket, 'connect').catch(() => {});
      if (bytes !== '' && socket.writable) socket.write(bytes);
    }
    for (const [path, init] of PATHS) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const status = await until(async () => {
        const answer = await fetch(url + path, { ...init, headers }).catch(() => null);
        await answer?.text().catch(() => '');
        return answer?.status ?? null;
      });
      assert.equal(status, 200, path);
    }
    assert.equal(dev.child.exitCode, null, dev.stderr);
  });
}
