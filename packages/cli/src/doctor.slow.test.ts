/** `netd doctor` on a healthy machine, then with one fault at a time. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Finding } from './doctor/finding.ts';
import { database } from './doctor/database.ts';
import { clock, disk } from './doctor/machine.ts';
import { Command, LAUNCHER, startDev } from './testing/command.ts';
import { serve } from '@netd/node';
import { timestampToMs } from '@netd/protocol';
import { boundPort } from './testing/bound-port.ts';

const home = mkdtempSync(join(tmpdir(), 'netd-doctor-test-'));
after(() => rmSync(home, { recursive: true, force: true }));

type Start = ConstructorParameters<typeof Command>[2];

async function doctor(
  args: readonly string[] = [],
  start?: Start,
): Promise<{ code: number | null; of: (about: string) => Finding }> {
  const command = new Command(['doctor', '--json', ...args], home, start);
  const { code, stdout, stderr } = await command.ended;
  assert.equal(stderr, '');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const of = (about: string): Finding => {
    const found = findings.find((finding) => finding.about === about);
    assert.ok(found, `nothing about ${about} in ${stdout}`);
    // Every finding that is not good names a remedy.
    assert.equal(found.todo === null, found.verdict === 'good');
    return found;
  };
  return { code, of };
}

/** Returns the first of three free ports in a row. */
async function freePort(): Promise<number> {
  for (;;) {
    const first = await boundPort(0);
    first.close();
    const { port } = first;
    const others = await Promise.allSettled([boundPort(port + 1), boundPort(port + 2)]);
    for (const one of others) if (one.status === 'fulfilled') one.value.close();
    if (others.every(({ status }) => status === 'fulfilled')) return port;
  }
}

test('finds no fault before a node starts, nor while it runs', async () => {
  const port = await freePort();
  const before = await doctor(['--data-dir', 'chain', '--port', `${port}`]);
  assert.equal(before.code, 0);
  for (const about of ['versions', 'native parts', 'database', 'keys', 'clock', `port ${port}`]) {
    assert.equal(before.of(about).verdict, 'good', about);
  }
  const args = ['dev', '--data-dir', 'chain', '--port', `${port}`, '--house', 'none'];
  const [dev, { url, chainId }] = await startDev(args, home);
  const during = await doctor(['--data-dir', 'chain', '--port', `${port}`]);
  dev.child.kill('SIGTERM');
  await dev.ended;
  assert.equal(during.code, 0);
  assert.match(during.of(`port ${port}`).found, /taken by netd/);
  assert.match(during.of('database').found, new RegExp(`^${chainId} up to height \\d+`));
  assert.match(during.of('clock').found, new RegExp(`as ${url} has it`));
});

test('for people it ends with a sentence', async () => {
  const port = await freePort();
  const { code, stdout } = await new Command(['doctor', '--port', `${port}`], home).ended;
  assert.equal(code, 0);
  assert.match(stdout, /\n {2}A node can run here\.\n$/);
});

test('a key that others may read', async () => {
  const keys = join(home, 'loose', 'keys');
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(keys, 'operator.json'), '{}');
  chmodSync(join(keys, 'operator.json'), 0o644);
  const { code, of } = await doctor(['--data-dir', 'loose']);
  assert.equal(code, 1);
  assert.match(of('keys').todo ?? '', /^chmod 600 .*operator\.json; and rotate/);
});

test('a database that is none', async () => {
  const chain = join(home, 'damaged', 'chain');
  mkdirSync(chain, { recursive: true });
  writeFileSync(join(chain, 'data.mdb'), 'x'.repeat(100_000));
  const { code, of } = await doctor(['--data-dir', 'damaged']);
  assert.equal(code, 1);
  assert.equal(of('database').verdict, 'fault');
  assert.match(of('database').todo ?? '', /netd verify/);
});

test('a port that another program has', async (t) => {
  const other = await listen(createServer((_request, response) => response.end('hello')));
  t.after(() => other.close().closeAllConnections());
  const { port } = other.address() as { port: number };
  const { code, of } = await doctor(['--port', `${port}`]);
  assert.equal(code, 1);
  assert.equal(of(`port ${port}`).found, 'another program listens there');
});

test('too few open files', async () => {
  const line = `ulimit -n 100; exec "${process.execPath}" "${LAUNCHER}" "$@"`;
  const { code, of } = await doctor([], ['/bin/sh', '-c', line, 'sh']);
  assert.equal(code, 1);
  assert.match(of('open files').todo ?? '', /LimitNOFILE/);
});

test('a clock that is far from that of a node, or from every time there can be', async (t) => {
  const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);
  const late = await listen(
    createServer(({ url }, response) => {
      if (url === '/net/livez') response.setHeader('date', hours(2).toUTCString());
      response.end();
    }),
  );
  t.after(() => late.close().closeAllConnections());
  // The address has a path, as behind a proxy.
  const url = `http://127.0.0.1:${(late.address() as { port: number }).port}/net/`;
  const behind = await clock(url);
  assert.equal(behind.verdict, 'warning');
  assert.match(behind.found, /^7\d{3} s behind /);
  const never = await clock(url, null, 0);
  assert.equal(never.verdict, 'fault');
  assert.match(never.found, /1970-01-01/);
});

test('reports a chain whose last block is ahead of the clock', async () => {
  const now = Date.now();
  const nowhere = 'http://127.0.0.1:1';
  const fast = await clock(nowhere, now + 172_800_000, now);
  assert.equal(fast.verdict, 'fault');
  assert.match(fast.found, /the last block here is of .*, 172800 s ahead$/);
  assert.equal((await clock(nowhere, now + 1_000, now)).verdict, 'good');
  assert.equal((await clock(nowhere, null, now)).verdict, 'good');
});

test('reads the time of the last block from the data directory', async () => {
  const dataDir = join(home, 'dated');
  const { finding, lastBlockTime } = await database(dataDir);
  assert.deepEqual([finding.verdict, lastBlockTime], ['good', null]);
  const node = await serve({ dataDir, host: '127.0.0.1', port: 0 });
  await node.stop();
  const { timestamp } = node.node.chain.head;
  const sound = await database(dataDir);
  assert.equal(sound.lastBlockTime, timestampToMs(timestamp));
  assert.match(sound.finding.found, /read (\d+) of \1 entries, but no hash/);
});

test('reports a damaged record behind sound first pages', async () => {
  const dataDir = join(home, 'deep');
  await (await serve({ dataDir, host: '127.0.0.1', port: 0 })).stop();
  const file = join(dataDir, 'chain', 'data.mdb');
  const bytes = readFileSync(file);
  const record = 'policy/limits{';
  // Overwrite all copies, because old pages contain some.
  for (let at = bytes.indexOf(record); at > 0; at = bytes.indexOf(record, at + 1)) {
    bytes[at + record.length - 1] = 0x78;
  }
  writeFileSync(file, bytes);
  const { verdict, found } = (await database(dataDir)).finding;
  assert.deepEqual([verdict, found], ['fault', 'an entry of the table state is damaged']);
});

test('little room, and a place that cannot be written to', () => {
  assert.equal(disk(home).verdict, 'good');
  const little = disk(join(home, 'not', 'there'), Number.MAX_SAFE_INTEGER);
  assert.equal(little.verdict, 'warning');
  assert.match(little.todo ?? '', /Free some/);
  assert.equal(disk('/dev/null/netd').verdict, 'fault');
});

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
