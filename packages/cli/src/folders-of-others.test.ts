/** Commands that take a folder leave it untouched if it belongs to something else. */
import assert from 'node:assert/strict';
import fs, {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Command } from 'commander';
import { buildProgram } from './build-program.ts';
import { NETD } from './command-table.ts';
import { runHere } from './testing/run-here.ts';
import type { Terminal } from './terminal.ts';

const ORIGIN = 'http://127.0.0.1:9';
/** Options that name a folder to work on. */
const FOLDER = new Set(['--data-dir', '--dir', '--to']);

/** Arguments for each command with such an option. `@` stands for the foreign folder. */
const LINES: Readonly<Record<string, string>> = {
  apply: `apply validator -d @ --as ada`,
  approve: 'approve ada -d @',
  backup: 'backup -d @ --to @/copy',
  blobs: 'blobs -d @ -p 0',
  demo: 'demo -d @',
  dev: 'dev -d @ -p 0 --house none -q',
  doctor: 'doctor -d @',
  'engine init':
    'engine init -d @ --chain-id a-chain --name val-1 --address 127.0.0.1:26656 --fault-domain here',
  follow: `follow ${ORIGIN} -d @ -p 0`,
  'genesis new': 'genesis new -d @ --yes',
  'genesis operator': 'genesis operator -d @ --chain-id a-chain',
  promote: 'promote -d @ --keys @/keys',
  recover: `recover -d @ --from ${ORIGIN}`,
  replay: 'replay 1 -d @',
  reset: 'reset -d @ --yes --keys',
  restore: 'restore --from @/copy -d @',
  start: 'start -d @ -p 0 --binary /bin/true',
  testnet: 'testnet --dir @ -p 0 --house none --binary /bin/true',
  trace: 'trace x -d @',
  upgrade: 'upgrade --check -d @',
  verify: 'verify -d @',
};

/** Names that netd uses, but with other people's content. */
const FILES: Readonly<Record<string, string>> = {
  'blobs/holiday.jpg': 'a picture',
  'blobs-1/notes.txt': 'notes',
  'catalogue/books.csv': 'title',
  'chain/links.txt': 'iron',
  'checkpoints/model-epoch-3.pt': 'weights',
  'checkpoints/run-7/manifest.json': '{"loss":0.1}',
  'cometbft/data/blockstore.db/000001.log': 'a log',
  'database-1/dump.sql': 'select',
  'demo/package.json': '{"name":"demo"}',
  'dev.json': '{"port":3000}',
  'genesis.json': '{"book":"of the Bible"}',
  'house/plan.dwg': 'a plan',
  'incoming/invoice.pdf': 'an invoice',
  'keys/id_ed25519': 'a key',
  'keys/operator.json': '{"phone":"a key"}',
  'node.json': '{"name":"a node"}',
  'old-keys/id_rsa': 'an older key',
  'restore/backup.tar': 'a backup',
  'tls/server.pem': 'a certificate',
  'validator-1/readme': 'of a plug-in',
  'lost+found/x': '',
};

function folderOfOthers(t: TestContext): string {
  const root = tempDir(t);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const contentOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );

test('every command that takes a folder has a line here', async () => {
  const program = await buildProgram(NETD, {} as Terminal, null);
  const found: string[] = [];
  const walk = (command: Command, path: string[]): void => {
    if (command.options.some(({ long }) => FOLDER.has(long ?? ''))) found.push(path.join(' '));
    for (const child of command.commands) walk(child, [...path, child.name()]);
  };
  walk(program, []);
  // These commands only read which node runs there.
  const readers = found.filter((name) => !Object.hasOwn(LINES, name));
  const text = (name: string): string => {
    let command = program as Command | undefined;
    for (const word of name.split(' '))
      command = command?.commands.find((child) => child.name() === word);
    return command?.options.find(({ long }) => long === '--data-dir')?.description ?? '';
  };
  assert.deepEqual(
    readers.filter((name) => text(name) !== 'the data directory of a node that runs here'),
    [],
  );
});

for (const [name, line] of Object.entries(LINES)) {
  test(`netd ${name} leaves the files of other people as they are`, async (t) => {
    const root = folderOfOthers(t);
    const { code, stderr, stdout } = await runHere(line.replaceAll('@', root).split(' '));
    assert.deepEqual(contentOf(root), FILES);
    if (name !== 'doctor') assert.notEqual(code, 0, stdout);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });
}

test('netd reset deletes a chain, and leaves the files of other people beside and in it', async (t) => {
  const root = folderOfOthers(t);
  const ours = {
    'genesis.json': '{"schema":"NET-GENESIS/1","chainId":"ours"}',
    'chain/data.mdb': '',
    [`checkpoints/${'a'.repeat(64)}/chunk-0`]: '',
    'house/house-echo.json': '{}',
    'keys/operator.json': '{"schema":"NET-AGENT-KEY/1"}',
  };
  for (const [name, text] of Object.entries(ours)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { 'node.json': _, 'keys/operator.json': __, 'genesis.json': ___, ...theirs } = FILES;
  rmSync(join(root, 'node.json'));
  const { code, stdout, stderr } = await runHere(['reset', '-d', root, '--yes']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Files that netd did not write stay: .*chain\/links\.txt/);
  const lock = {
    '.netd-folder.json': '{"schema":"NET-FOLDER/1","holds":"node"}\n',
    'node.lock': '',
  };
  const { 'node.lock-journal': journal, ...left } = contentOf(root);
  assert.ok(journal === undefined || journal === '');
  assert.deepEqual(left, {
    ...theirs,
    ...lock,
    'old-keys/ours/operator.json': ours['keys/operator.json'],
  });
});

/** A data directory whose keys are in another folder. */
function chainWithLinkedKeys(t: TestContext): { root: string; keys: string } {
  const [root, keys] = [tempDir(t), tempDir(t)];
  writeFileSync(join(root, 'genesis.json'), '{"schema":"NET-GENESIS/1","chainId":"ours"}');
  for (const name of ['operator.json', 'validator.json']) writeFileSync(join(keys, name), name);
  symlinkSync(keys, join(root, 'keys'));
  return { root, keys };
}

test('netd reset sets keys aside that are in a linked folder, and leaves the link', async (t) => {
  const { root, keys } = chainWithLinkedKeys(t);
  const { code, stderr } = await runHere(['reset', '-d', root, '--yes']);
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(keys), []);
  assert.ok(lstatSync(join(root, 'keys')).isSymbolicLink());
  const aside = readdirSync(join(root, 'old-keys', 'ours')).sort();
  assert.deepEqual(aside, ['operator.json', 'validator.json']);
});

test('netd reset moves all keys or none, and deletes nothing if it cannot', async (t) => {
  const { root, keys } = chainWithLinkedKeys(t);
  t.mock.method(fs, 'renameSync', rename);
  syncBuiltinESMExports();
  t.after(() => (t.mock.restoreAll(), syncBuiltinESMExports()));
  const moved: string[] = [];
  function rename(from: string, to: string): void {
    // The link leads to another disk.
    if (from.endsWith('validator.json')) {
      throw Object.assign(new Error('EXDEV: cross-device link'), { code: 'EXDEV' });
    }
    moved.push(from);
    cpSync(from, to);
    rmSync(from);
  }
  const { code, stderr } = await runHere(['reset', '-d', root, '--yes']);
  assert.equal(code, 1);
  assert.match(stderr, /^netd: the data directory .* spans two disks/);
  assert.ok(moved.length > 0);
  assert.deepEqual(readdirSync(keys).sort(), ['operator.json', 'validator.json']);
  assert.ok(existsSync(join(root, 'genesis.json')));
  assert.deepEqual(readdirSync(join(root, 'old-keys')), []);
});
