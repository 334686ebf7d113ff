import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { firstLine } from '@netd/protocol/testing';
import { lockDataDir } from './data-dir-lock.ts';
import { hasProcessNamespaces, OWN_PROCESS_IDS } from '@netd/testkit/own-process-ids';
import { tempDir } from '@netd/testkit/temp-dir';

const SCRIPT = `
  import { lockDataDir } from ${JSON.stringify(import.meta.resolve('./data-dir-lock.ts'))};
  try {
    const unlock = lockDataDir(process.argv[1]);
    globalThis.gc();
    process.stdin.once('data', () => { unlock(); process.exit(); });
    console.log('locked by', process.pid);
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }`;
const NODE = [process.execPath, '--expose-gc', '--input-type=module', '-e', SCRIPT] as const;

/** A process that takes the lock and keeps it, or prints why it cannot. */
async function starter(
  t: TestContext,
  path: string,
  wrap: readonly string[] = [],
): Promise<{ child: ChildProcess; said: string; kill: () => Promise<void> }> {
  const [command, ...args] = [...wrap, ...NODE, path];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // Its output ends only after the processes that it started have ended.
  const gone = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  t.after(kill);
  const said = await firstLine(child);
  return { child, said, kill };
}

test('the lock keeps a second node out, names the first, and goes with it', (t) => {
  const path = tempDir(t);
  const unlock = lockDataDir(path);
  const me = new RegExp(`process ${process.pid} on ${hostname()}`);
  assert.throws(() => lockDataDir(path), me);
  assert.throws(() => lockDataDir(path), me, 'nor does the refused one take it away');
  unlock();
  const again = lockDataDir(path);
  unlock();
  assert.throws(() => lockDataDir(path), me, 'what was given back is not given back twice');
  again();
  assert.deepEqual(readdirSync(path), ['node.lock']);
  assert.equal(readFileSync(join(path, 'node.lock'), 'utf8'), '');
});

test('directories that were made for the lock go with it, unless something has come to lie there', (t) => {
  const root = tempDir(t);
  const path = join(root, 'deep', 'down');
  const unlock = lockDataDir(path);
  assert.ok(existsSync(join(path, 'node.lock')));
  unlock();
  assert.deepEqual(readdirSync(root), []);
  const used = lockDataDir(path);
  writeFileSync(join(path, 'genesis.json'), '{}');
  used();
  const left = ['.netd-folder.json', 'genesis.json', 'node.lock'];
  assert.deepEqual(readdirSync(path).toSorted(), left);
  const [beside, there] = [join(root, 'beside'), join(root, 'deep')];
  const neighbour = lockDataDir(join(beside, 'one'));
  writeFileSync(join(beside, 'note'), '');
  neighbour();
  assert.deepEqual(readdirSync(beside), ['note']);
  lockDataDir(there)();
  assert.deepEqual(readdirSync(there).toSorted(), ['down', 'node.lock']);
});

test('the lock of a killed process is free, although its record remains', async (t) => {
  const path = tempDir(t);
  const first = await starter(t, path);
  assert.equal(first.said, `locked by ${first.child.pid}`);
  assert.throws(() => lockDataDir(path), new RegExp(`process ${first.child.pid} on`));
  await first.kill();
  assert.ok(existsSync(join(path, 'node.json')));
  const unlock = lockDataDir(path);
  const late = await starter(t, path);
  assert.match(late.said, new RegExp(`DataDirError: another netd \\(process ${process.pid} on`));
  unlock();
});

test('processes that do not see each other, as in two containers, share no data directory', async (t) => {
  if (!hasProcessNamespaces()) return t.skip('no namespaces here');
  const path = tempDir(t);
  const first = await starter(t, path, OWN_PROCESS_IDS);
  assert.equal(first.said, 'locked by 1');
  for (let attempt = 0; attempt < 2; attempt++) {
    const { said } = await starter(t, path, OWN_PROCESS_IDS);
    assert.match(said, /another netd \(process 1 on .*\) is running/);
  }
  assert.throws(() => lockDataDir(path), /process 1 on/);
  await first.kill();
  const next = await starter(t, path, OWN_PROCESS_IDS);
  assert.equal(next.said, 'locked by 1');
});

test('who holds the lock decides nothing', (t) => {
  const path = tempDir(t);
  writeFileSync(join(path, 'genesis.json'), '{"schema":"NET-GENESIS/1"}');
  for (const text of ['', '{', 'null', JSON.stringify({ pid: process.pid, host: hostname() })]) {
    writeFileSync(join(path, 'node.json'), text);
    lockDataDir(path)();
  }
  const unlock = lockDataDir(path);
  writeFileSync(join(path, 'node.json'), 'null');
  assert.throws(() => lockDataDir(path), /another netd .* is running/);
  unlock();
});

test('what is no directory, or cannot be locked, is refused in a sentence', (t) => {
  const path = tempDir(t);
  const file = join(path, 'file');
  writeFileSync(file, '');
  assert.throws(() => lockDataDir(file), /DataDirError: .* is a file: choose a directory/);
  assert.throws(() => lockDataDir(join(file, 'below')), /lies below a file/);
  if (existsSync('/proc/self')) {
    assert.throws(() => lockDataDir('/proc/netd/data'), /DataDirError: .* cannot be made there/);
  }
  writeFileSync(join(path, 'genesis.json'), '{"schema":"NET-GENESIS/1"}');
  writeFileSync(join(path, 'node.lock'), 'no database '.repeat(100));
  assert.throws(() => lockDataDir(path), /DataDirError: .*node\.lock cannot be locked/);
});

function canRun([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}

test('a directory that may not be written is refused in a sentence, and nothing is made', async (t) => {
  const path = tempDir(t);
  chmodSync(path, 0o555);
  // Root may open every directory.
  const asSomebody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
  const source = fileURLToPath(import.meta.resolve('./data-dir-lock.ts'));
  if (asSomebody[0] && !canRun([...asSomebody, 'test', '-r', source])) {
    return t.skip('there is no other user, or only root may read this checkout');
  }
  const { said } = await starter(t, path, asSomebody);
  assert.match(said, /DataDirError: .* may not be read and written by this user: change its owner/);
  assert.deepEqual(readdirSync(path), []);
});
