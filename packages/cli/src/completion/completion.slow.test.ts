/** Completion in real shells, which source the generated script. Skips zsh and fish if they are not installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
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

/** @param words as bash splits them, the last one up to the cursor */
async function proposed(...words: string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const line = `source '${script}' && source '${script}'
    COMP_WORDS=(netd ${quoted}); COMP_CWORD=${words.length}; _netd_complete
    printf '%s\\n' "\${COMPREPLY[@]}"; complete -p netd`;
  const { code, stdout, stderr } = await new Command(['-c', line], home, ['bash'], env).ended;
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
  assert.deepEqual(await proposed('act', 'publishB'), ['publishBeacon']);
  assert.deepEqual(await proposed('act', 'ad'), ['ada']);
  assert.deepEqual(await proposed('act', 'transfer', 'am'), ['amount=']);
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

const missing = (shell: string): string | false =>
  spawnSync(shell, ['--version']).status === 0 ? false : `${shell} is not installed here`;

/** Writes the completion script of another shell to a file. */
async function scriptFor(shell: 'fish' | 'zsh'): Promise<string> {
  const { code, stdout, stderr } = await new Command(['completion', shell], home).ended;
  assert.equal(code, 0, stderr);
  const file = join(home, `netd.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

test(
  'fish completes words, values and members, and evaluates none',
  { skip: missing('fish') },
  async () => {
    const file = await scriptFor('fish');
    const trap = join(home, 'fish-trap');
    const asked = async (line: string): Promise<string[]> => {
      const words = ['--no-config', '-c', 'source $argv[1]; source $argv[1]; complete -C $argv[2]'];
      const args = [...words, file, line];
      const { code, stdout, stderr } = await new Command(args, home, ['fish'], env).ended;
      assert.deepEqual([code, stderr], [0, ''], line);
      return stdout
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => text.split('\t')[0] ?? '');
    };
    assert.deepEqual(await asked('netd wo'), ['work']);
    assert.deepEqual(await asked('netd work list --status P'), ['PAID']);
    assert.deepEqual(await asked('netd balance '), ['ada', 'bob']);
    assert.deepEqual(await asked('netd act ada transfer to=bob am'), ['amount=']);
    await asked(`netd act ada transfer memo=(touch ${trap})`);
    await asked(`netd balance "(touch ${trap})`);
    assert.ok(!existsSync(trap));
  },
);

/**
 * Types each line into an interactive zsh, then Tab and Enter. There, `netd` is a function that prints its
 * arguments.
 */
const DRIVE_ZSH = String.raw`
zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z "PS1=; stty -echo; setopt no_beep"
zpty -w z "autoload -Uz compinit && compinit -D -u; source $1; source $1"
zpty -w z "netd() { print -rl -- '<<<' "\$@" '>>>' }; print RE''ADY"
shift
out=
until [[ $out == *READY* ]]; do zpty -r z chunk && out+=$chunk; done
for line in "$@"; do
  zpty -w -n z "$line"$'\t\n'
  out=
  until [[ $out == *'>>>'* ]]; do
    zpty -r z chunk || sleep 0.05
    out+=$chunk
    chunk=
  done
  print -r -- "$out"
done
zpty -d z
`;

test(
  'zsh completes words, values and members, and evaluates none',
  { skip: missing('zsh') || inCampaign.skip },
  async () => {
    const file = await scriptFor('zsh');
    const trap = join(home, 'zsh-trap');
    const drive = join(home, 'drive.zsh');
    writeFileSync(drive, DRIVE_ZSH);
    const lines = [
      'netd wor',
      'netd work list --status P',
      'netd balance a',
      'netd act ada transfer to=bob am',
      // The quote is still open when Tab is pressed. Completion must not close it: Enter would then run the typed text.
      `netd act ada transfer 'memo=$(touch ${trap})' am`,
    ];
    const args = ['-f', drive, file, ...lines];
    const { code, stdout, stderr } = await new Command(args, home, ['zsh'], env).ended;
    assert.deepEqual([code, stderr], [0, '']);
    const given = [...stdout.replaceAll('\r', '').matchAll(/<<<\n([^]*?)\n>>>/g)].map(
      ([, words = '']) => words.split('\n'),
    );
    assert.deepEqual(given, [
      ['work'],
      ['work', 'list', '--status', 'PAID'],
      ['balance', 'ada'],
      ['act', 'ada', 'transfer', 'to=bob', 'amount='],
      ['act', 'ada', 'transfer', `memo=$(touch ${trap})`, 'amount='],
    ]);
    assert.ok(!existsSync(trap));
  },
);

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
