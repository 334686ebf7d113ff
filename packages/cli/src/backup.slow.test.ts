/** `netd backup`, `restore` and `promote` as an operator types them, and a backup whose process is killed. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { join as register } from '@netd/testkit/forked-chain';
import { Command } from './testing/command.ts';
import { startDevnet } from './testing/devnet.ts';
import { runHere } from './testing/run-here.ts';

test('a backup that is killed with kill -9 leaves the one before, which is restored', async (t) => {
  const devnet = await startDevnet();
  t.after(() => devnet.stop());
  const { home, dataDir, node } = devnet;
  const to = join(home, 'backup');
  const words = ['backup', '-d', dataDir, '--to', to, '--json'];
  // Runs in its own process while the node makes blocks.
  const made = async (more: string[] = [], env: NodeJS.ProcessEnv = {}) =>
    new Command([...words, ...more], home, undefined, env).ended;
  const first = await made();
  assert.equal(first.code, 0, first.stderr);
  const before = JSON.parse(first.stdout) as { kind: string; height: number };
  assert.equal(before.kind, 'full');
  await register(node, 'alice');
  for (const [part, more] of [
    ['blocks', []],
    ['manifest', []],
    ['database', ['--full']],
    ['manifest', ['--full']],
  ] as const) {
    const killed = await made([...more], { NET_FAILPOINT: `backup.${part}` });
    assert.deepEqual([killed.code, JSON.parse(killed.stdout).code], [137, 'UNFINISHED'], part);
    const target = join(home, `restored-${part}-${more.length}`);
    const { code, stdout, stderr } = await runHere([
      'restore',
      '--from',
      to,
      '-d',
      target,
      '--json',
    ]);
    assert.equal(code, 0, stderr + stdout);
    assert.equal((JSON.parse(stdout) as { height: number }).height, before.height);
  }
  const after = await made();
  assert.equal((JSON.parse(after.stdout) as { kind: string }).kind, 'blocks', after.stderr);
  // The rests of killed backups are deleted.
  const parts = readdirSync(to).filter((name) => /^(\.database|\.\d|database|blocks)/.test(name));
  assert.equal(parts.length, 2, parts.join(' '));
});

test('what cannot be backed up, restored or promoted is said in a sentence', async (t) => {
  const devnet = await startDevnet();
  t.after(() => devnet.stop());
  const { home, dataDir } = devnet;
  for (const [words, sentence, exit] of [
    [['backup', '-d', dataDir], /required option '--to/, 2],
    [['backup', '-d', home, '--to', '/nowhere/at/all'], /there is no chain in/, 1],
    [['restore', '--from', home, '-d', join(home, 'new')], /there is no backup in/, 1],
    [['promote', '-d', dataDir, '--keys', join(dataDir, 'keys')], /is not of a follower/, 1],
  ] as const) {
    const { code, stderr } = await runHere(words);
    assert.equal(code, exit, stderr);
    assert.match(stderr, sentence);
  }
});
