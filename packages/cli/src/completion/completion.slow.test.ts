/** Completion as bash asks for it: the real shell sources the real script. */
import assert from 'node:assert/strict';
import { mkdtempSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ensureKeyFile } from '@netd/node/keys';
import { Command, LAUNCHER } from '../testing/command.ts';

const home = mkdtempSync(join(tmpdir(), 'netd-completion-'));
const env = { NET_HOME: join(home, 'keys') };
let script: string;

before(async () => {
  const { code, stdout, stderr } = await new Command(['completion', 'bash'], home).ended;
  assert.equal(code, 0, stderr);
  script = join(home, 'netd.bash');
  writeFileSync(script, stdout);
  for (const name of ['ada', 'bob']) {
    ensureKeyFile(join(home, 'keys', 'net-devnet-1', `${name}.json`), 'net-devnet-1', name);
  }
  mkdirSync(join(home, 'files'));
});
after(() => rmSync(home, { recursive: true, force: true }));

/** @param words as bash parts them, the last one up to the cursor */
async function proposed(...words: string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const line = `source '${script}' && source '${script}'
    COMP_WORDS=(netd ${quoted}); COMP_CWORD=${words.length}; _netd_complete
    printf '%s\\n' "\${COMPREPLY[@]}"; complete -p netd`;
  const { code, stdout, stderr } = await new Command(['-c', line], home, [], env, 'bash').ended;
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.pop(), 'complete -o default -F _netd_complete netd');
  return lines;
}

test('commands, their subcommands and options', async () => {
  assert.deepEqual(await proposed('ag'), ['agents']);
  assert.deepEqual((await proposed('work', '')).slice(0, 3), ['list', 'show', 'brief']);
  assert.ok((await proposed('events', '--')).includes('--follow'));
  assert.deepEqual(await proposed('nonsense', 'x', ''), []);
});

test('values: choices, agents, actions, members', async () => {
  assert.deepEqual(await proposed('work', 'list', '--status', 'P'), ['PAID']);
  assert.deepEqual(await proposed('balance', ''), ['ada', 'bob']);
  assert.deepEqual(await proposed('events', '-f', '--agent', 'b'), ['bob']);
  assert.deepEqual(await proposed('act', 'ada', 'publishB'), ['publishBeacon']);
  assert.deepEqual(await proposed('act', 'ada', 'transfer', 'to=bob', 'am'), ['amount=']);
  assert.deepEqual(await proposed('act', 'ada', 'setAgentStatus', 'status', '=', 's'), [
    'suspended',
  ]);
  assert.deepEqual(await proposed('apply', 'ver'), ['verifier']);
  assert.deepEqual(await proposed('completion', 'z'), ['zsh']);
});

test('no word is evaluated on the way', async () => {
  const trap = join(home, 'trap');
  await proposed('act', 'ada', 'transfer', `memo=$(touch ${trap})`);
  await proposed('balance', `\`touch ${trap}\``);
  await proposed('balance', `"; touch ${trap}; "`);
  assert.ok(!existsSync(trap));
});

test('a script for each shell, with the path of the launcher', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = await new Command(['completion', shell], home).ended;
    assert.equal(code, 0);
    assert.ok(stdout.includes(`'${LAUNCHER}' complete -- `), shell);
  }
  const { code, stderr } = await new Command(['completion', 'tcsh'], home).ended;
  assert.equal(code, 2);
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
});
