/**
 * The database that commit c7bf6d42 wrote is converted by a version with the next format, beside its node, and is
 * killed at each step.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { OPERATOR } from '@netd/ledger/testing';
import { timestampToMs } from '@netd/protocol';
import { plays } from '@netd/protocol/testing';
import { rebuildLists, STORE_FORMAT } from '@netd/engine';
import { goldenChain } from '@netd/testkit/golden-chain';
import type { HttpNode } from '@netd/testkit/http-node';
import { completeDataDir, serveChain } from '@netd/testkit/populated-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { backup } from './backup/backup.ts';

const CHILD = fileURLToPath(import.meta.resolve('@netd/testkit/convert-child'));
const HOOK = import.meta.resolve('@netd/testkit/with-next-format');
const FIXTURE = new URL(`../../engine/fixtures/format-${STORE_FORMAT}.mdb.br`, import.meta.url);
const DERIVED =
  'tree,treePages,transitionIndex,certificateIndex,eventIndex,nonces,due,lists,transitionSubtrees,eventSubtrees';

const golden = goldenChain();

const STEPS = ['copied', 'blocks', 'nonces', 'tree@256', 'lists', 'execute', 'converted'];
/** The steps that a build runs. */
const FEW = ['tree@256', 'execute'];

interface Run {
  lines: string[];
  end: number | string | null;
}

async function run(
  dataDir: string,
  what: string,
  {
    failpoint = '',
    tables = DERIVED,
    from = '',
  }: { failpoint?: string; tables?: string; from?: string } = {},
): Promise<Run> {
  const child = spawn(process.execPath, ['--import', HOOK, CHILD, dataDir, what, from], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NET_FAILPOINT: failpoint, NEXT_FORMAT_TABLES: tables },
  });
  const guard = setTimeout(() => child.kill('SIGKILL'), 300_000);
  const closed = once(child, 'close');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const [code, signal] = (await closed) as [number | null, string | null];
  clearTimeout(guard);
  return { lines, end: signal ?? code };
}

async function done(...args: Parameters<typeof run>): Promise<string[]> {
  const { lines, end } = await run(...args);
  assert.equal(end, 0, lines.join('\n'));
  return lines;
}

/** Returns the lines before the kill. */
async function killed(dataDir: string, what: string, failpoint: string): Promise<string[]> {
  const { lines, end } = await run(dataDir, what, { failpoint });
  assert.equal(end, 'SIGKILL', `${failpoint}: ${lines.join('\n')}`);
  return lines;
}

/** A data directory with the fixture's database. */
function fixtureIn(t: TestContext): string {
  const dataDir = tempDir(t);
  mkdirSync(join(dataDir, 'chain'));
  writeFileSync(join(dataDir, 'chain', 'data.mdb'), brotliDecompressSync(readFileSync(FIXTURE)));
  return dataDir;
}

async function oldNode(t: TestContext, dataDir: string, minutes = 0): Promise<HttpNode> {
  const now = timestampToMs(golden.blocks.at(-1)?.header.timestamp ?? '') + 60_000 * minutes;
  const node = await serveChain(dataDir, golden.genesis, { operatorId: OPERATOR, now });
  t.after(() => node.running.stop());
  return node;
}

const block = (node: HttpNode): Promise<unknown> =>
  node.act(OPERATOR, 'fundRewardPool', { amount: 1 });

test('is converted while its node makes blocks, whenever it is killed, goes back, and crosses to version 2', async (t) => {
  const dataDir = fixtureIn(t);
  const node = await oldNode(t, dataDir);
  // A table that must be rebuilt would keep these if it were copied.
  const { tables } = node.running.node.store;
  await tables.eventIndex.put(['type:Gone', 5], Buffer.from([0, 0]));
  await tables.transitionSubtrees.put(1_000_000, Buffer.alloc(64));
  let lines: string[] = [];
  for (const failpoint of plays(FEW, STEPS)) {
    await block(node);
    lines = await killed(dataDir, 'prepare', `convert.${failpoint}`);
  }
  // No finished step is repeated.
  assert.deepEqual(
    lines.filter((line) => line === 'copied' || line === 'blocks'),
    [],
  );
  await block(node);
  const { height } = node;
  assert.equal((await done(dataDir, 'prepare')).at(-1), `prepared ${height}`);
  await block(node);
  await node.running.stop();

  await killed(dataDir, 'start', 'convert.kept');
  await killed(dataDir, 'start', 'convert.placed');
  await done(dataDir, 'start');
  const record = readFileSync(join(dataDir, 'keys', 'last-signed.json'));
  assert.deepEqual(await done(dataDir, 'back'), [`back ${height + 1}`]);
  assert.deepEqual(readFileSync(join(dataDir, 'keys', 'last-signed.json')), record);
  // Later than all earlier blocks.
  const again = await oldNode(t, dataDir, 10);
  await again.join('another');
  await again.running.stop();

  for (const step of plays<string[]>([], ['cleared'])) {
    await killed(dataDir, 'start', `convert.${step}`);
  }
  lines = await done(dataDir, 'cross');
  assert.deepEqual(lines.slice(-3), [`head ${height + 2}`, 'rules 2', 'verified']);
  const { lines: refusal, end } = await run(dataDir, 'back');
  assert.deepEqual(
    [end, /was made since the conversion at block/.test(refusal[0] ?? '')],
    [1, true],
  );
});

test('executes all blocks again if the form of the records has changed, and refuses if that of the blocks has', async (t) => {
  const dataDir = fixtureIn(t);
  await rebuildLists(join(dataDir, 'chain'));
  await completeDataDir(dataDir, golden.genesis, OPERATOR);
  const { lines, end } = await run(dataDir, 'start', { tables: 'blocks' });
  assert.deepEqual([end, /this version reads/.test(lines[0] ?? '')], [1, true]);
  assert.deepEqual((await done(dataDir, 'cross', { tables: 'state,events' })).slice(-2), [
    'rules 2',
    'verified',
  ]);
});

test('a backup of it is converted and continues, or is refused and leaves nothing', async (t) => {
  const dataDir = fixtureIn(t);
  await rebuildLists(join(dataDir, 'chain'));
  const node = await oldNode(t, dataDir);
  const from = tempDir(t);
  await backup({ dataDir, to: from });
  await block(node);
  await backup({ dataDir, to: from });
  const { height } = node;
  await node.running.stop();
  const restored = tempDir(t);
  const refused = await run(restored, 'restore', { tables: 'blocks', from });
  assert.equal(refused.end, 1);
  assert.match(
    refused.lines[0] ?? '',
    /restore it with netd \d.* which wrote it\. netd upgrade --check/,
  );
  assert.deepEqual(readdirSync(restored), []);
  const lines = await done(restored, 'restore', { from });
  assert.deepEqual(lines, [`restored ${height}, executed 1`, 'verified']);
  assert.ok(!existsSync(join(restored, '.restoring')));
  assert.ok(!existsSync(join(restored, 'chain', 'upgrade')));
});

/** Runs with a small disk mounted on the directory. */
const ON_DISK = 'mount -t tmpfs -o size=110m tmpfs "$0" && exec "$@"';

test('refuses a disk that is too small, and goes on after one that filled up', (t) => {
  const path = tempDir(t);
  const onDisk = (...command: string[]) =>
    spawnSync(
      'unshare',
      ['--user', '--map-root-user', '--mount', 'sh', '-c', ON_DISK, path, ...command],
      { encoding: 'utf8', env: { ...process.env, NEXT_FORMAT_TABLES: DERIVED } },
    );
  if (onDisk('true').status !== 0) return t.skip('no disk can be mounted here');
  const script = `
    import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
    import { brotliDecompressSync } from 'node:zlib';
    import { prepareDatabase } from ${JSON.stringify(new URL('convert-database.ts', import.meta.url))};
    const dataDir = ${JSON.stringify(path)};
    mkdirSync(dataDir + '/chain');
    const database = brotliDecompressSync(readFileSync(new URL(${JSON.stringify(FIXTURE)})));
    writeFileSync(dataDir + '/chain/data.mdb', database);
    const leave = (mebibytes) => {
      const { bavail, bsize } = statfsSync(dataDir);
      writeFileSync(dataDir + '/ballast', Buffer.alloc(bavail * bsize - mebibytes * 1_048_576));
    };
    const phases = new Set();
    const prepare = (onCopy = () => {}) => prepareDatabase(dataDir, { onConversion: ({ phase }) => {
      if (phase === 'copied') onCopy();
      phases.add(phase);
    } }).then((prepared) => prepared.height, ({ name, message }) => name + ': ' + message);
    const report = [];
    leave(66);
    report.push(await prepare(), [...phases].join());
    rmSync(dataDir + '/ballast');
    report.push(await prepare(() => leave(60)));
    rmSync(dataDir + '/ballast');
    phases.clear();
    report.push(await prepare(), phases.has('copied'));
    console.log(JSON.stringify(report));`;
  const options = ['--import', HOOK, '--input-type=module', '-e', script];
  const { stdout, stderr, status } = onDisk('timeout', '300', process.execPath, ...options);
  assert.equal(status, 0, stderr);
  const [tooSmall, begun, filled, height, copied] = JSON.parse(stdout) as unknown[];
  assert.match(String(tooSmall), /DataDirError: .* MB of free space, .* Nothing was changed/);
  assert.equal(begun, '');
  assert.match(String(filled), /DataDirError: .* disk that is full: make room/);
  assert.deepEqual([height, copied], [golden.blocks.length - 1, false]);
});
