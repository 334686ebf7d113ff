/** Tests on a small disk, skipped if the user cannot mount one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { requireFreeSpace } from '@netd/engine/testing';

const NODE = new URL('./node.ts', import.meta.url).pathname;
const UNSHARE = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'] as const;
const MOUNTED = 'mount -t tmpfs -o size="$0"k tmpfs "$1" && shift && exec "$@"';

test('throws ENOSPC if the disk has less space than required', (t) => {
  const path = tempDir(t);
  requireFreeSpace(path, 1);
  assert.throws(() => requireFreeSpace(path, Number.MAX_SAFE_INTEGER), { code: 'ENOSPC' });
});

/** Runs a command with a small disk mounted on the directory. */
function onDisk(path: string, kibibytes: number, ...command: string[]) {
  const [program, ...options] = UNSHARE;
  const args = [...options, MOUNTED, String(kibibytes), path, ...command];
  return spawnSync(program, args, { encoding: 'utf8' });
}
const CANNOT = 'no disk can be mounted here';
const running = (script: string): string[] => [
  process.execPath,
  '--input-type=module',
  '-e',
  script,
];

test('a chain is not begun on a disk that has no room for a block, and the process says so', (t) => {
  const path = tempDir(t);
  if (onDisk(path, 100, 'true').status !== 0) return t.skip(CANNOT);
  const script = `
    import { NetNode } from ${JSON.stringify(NODE)};
    import { readdirSync } from 'node:fs';
    const dataDir = ${JSON.stringify(path)};
    const node = await NetNode.start({ dataDir }).catch((error) => {
      process.stdout.write('left: ' + readdirSync(dataDir).join(' '));
      throw error;
    });
    await node.stop();
    console.log('begun');`;
  const [tight, roomy] = [40_000, 120_000].map((size) => onDisk(path, size, ...running(script)));
  assert.ok(tight && roomy);
  assert.match(tight.stderr, /DataDirError: .* lies on a disk that is full: make room/);
  assert.equal(tight.status, 1);
  assert.match(tight.stdout, /^left: (?:node\.lock)?$/, 'neither keys nor a genesis');
  assert.deepEqual([roomy.status, roomy.stdout], [0, 'begun\n'], roomy.stderr);
});

test('a start on a nearly full disk serves its blocks, and signs again once there is room', (t) => {
  const path = tempDir(t);
  if (onDisk(path, 100, 'true').status !== 0) return t.skip(CANNOT);
  const script = `
    import { closeSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { NetNode } from ${JSON.stringify(NODE)};
    import { registrationBytes } from ${JSON.stringify(import.meta.resolve('@netd/testkit/envelopes'))};
    const dataDir = ${JSON.stringify(path)};
    const start = () => NetNode.start({ dataDir, blockTime: 5 });
    const join = (node, name) => node.admission.submit('registration', registrationBytes(name), 'x')
      .then(({ receipt }) => receipt.height, ({ code }) => code);
    const record = () => statSync(dataDir + '/keys/last-signed.json').ino;
    const first = await start();
    const before = await join(first, 'alice');
    await first.stop();
    const signed = record();
    const ballast = openSync(dataDir + '/ballast', 'a');
    for (const size of [1_048_576, 4_096]) {
      try { for (;;) writeSync(ballast, Buffer.alloc(size, 1)); } catch {}
    }
    closeSync(ballast);
    // The lock of the directory needs a page or two: less is refused with a sentence.
    let second, refusals = 0;
    for (; !second; refusals++) {
      truncateSync(dataDir + '/ballast', statSync(dataDir + '/ballast').size - 4_096);
      second = await start().catch((error) => {
        if (error.name !== 'DataDirError' || refusals > 8) throw error;
      });
    }
    const full = [second.chain.height, await join(second, 'bob'), record() === signed];
    rmSync(dataDir + '/ballast');
    let after;
    while (typeof (after = await join(second, 'bob')) !== 'number') await sleep(50);
    await second.stop();
    const drafts = readdirSync(dataDir + '/keys').filter((name) => name.endsWith('.draft'));
    console.log(JSON.stringify({ before, full, after, isRenewed: record() !== signed, drafts }));`;
  const { stdout, stderr, status } = onDisk(path, 160_000, 'timeout', '60', ...running(script));
  assert.equal(status, 0, stderr);
  const { before, full, after, isRenewed, drafts } = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual(full, [before, 'STORAGE_UNAVAILABLE', true]);
  assert.ok(Number(after) > Number(before));
  // The record must be this run's, so that a backup restored over it is detected.
  assert.equal(isRenewed, true);
  assert.deepEqual(drafts, []);
});

test('a file is replaced as a whole, or not at all, if the disk has room for half of it', (t) => {
  const path = tempDir(t);
  if (onDisk(path, 100, 'true').status !== 0) return t.skip(CANNOT);
  const script = `
    import { readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
    import { replaceFile } from ${JSON.stringify(import.meta.resolve('@netd/engine/durable-file'))};
    const folder = ${JSON.stringify(path)};
    replaceFile(folder + '/kept', 'before', 0o600);
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(folder + '/ballast', Buffer.alloc((bavail - 1) * bsize, 1));
    let code = null;
    try { replaceFile(folder + '/kept', 'x'.repeat(bsize + 1), 0o600); } catch (error) { code = error.code; }
    const left = readdirSync(folder).sort();
    console.log(JSON.stringify([code, readFileSync(folder + '/kept', 'utf8').slice(0, 9), left]));`;
  const { stdout, stderr } = onDisk(path, 1_000, ...running(script));
  assert.deepEqual(JSON.parse(stdout), ['ENOSPC', 'before', ['ballast', 'kept']], stderr);
});
