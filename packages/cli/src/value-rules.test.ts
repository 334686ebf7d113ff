import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, test, type TestContext } from 'node:test';
import type { Command, Option } from 'commander';
import { buildProgram } from './build-program.ts';
import { NETD } from './command-table.ts';
import { runHere } from './testing/run-here.ts';
import type { Terminal } from './terminal.ts';
import { applyValueRules, readSecretFiles, SECRETS, unsetEmptyVariables } from './value-rules.ts';

interface Found {
  /** The words that select the command. */
  path: string[];
  option: Option;
}

/** Returns every option of every command. */
async function allOptions(): Promise<Found[]> {
  const found: Found[] = [];
  const walk = (command: Command, path: string[]): void => {
    for (const option of command.options) found.push({ path, option });
    for (const child of command.commands) walk(child, [...path, child.name()]);
  };
  walk(await buildProgram(NETD, {} as Terminal, null), []);
  return found;
}

function setVariable(t: TestContext, name: string, value: string): void {
  const before = process.env[name];
  t.after(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
  process.env[name] = value;
}

/** Parses a command line without running it, and returns the value of an option. */
async function parsed(path: string[], option: Option, words: string[] = []): Promise<unknown> {
  unsetEmptyVariables();
  const program = await buildProgram(NETD, {} as Terminal, path, { writeErr: () => {} });
  let command = program;
  for (const word of path) {
    command = command.commands.find((child) => child.name() === word) ?? command;
  }
  // Read options only, because Commander also adds variables, and arguments do not matter here.
  command.parseOptions(words);
  // oxlint-disable-next-line no-underscore-dangle -- commander has no other way to it
  (command as unknown as { _parseOptionsEnv: () => void })._parseOptionsEnv();
  return command.getOptionValue(option.attributeName());
}

const options = await allOptions();

describe('the value of an option', () => {
  it('is refused on the command line if it is empty, by every command', async () => {
    const wrong: string[] = [];
    for (const { path, option } of options) {
      if (!option.required) continue;
      await parsed(path, option, [option.long ?? '', '']).then(
        () => wrong.push(`netd ${path.join(' ')} ${option.long}`),
        ({ message }: Error) => assert.match(message, /It is empty/),
      );
    }
    assert.deepEqual(wrong, []);
  });

  it('is its default if its variable is empty, in every command', async (t) => {
    const wrong: string[] = [];
    for (const { path, option } of options) {
      if (option.envVar === undefined) continue;
      setVariable(t, option.envVar, '');
      if ((await parsed(path, option)) !== option.defaultValue) wrong.push(option.envVar);
    }
    assert.deepEqual(wrong, []);
  });

  it('is 0 if the variable of a number is 0 and the number may be, in every command', async (t) => {
    const zeros: string[] = [];
    for (const { path, option } of options) {
      if (option.envVar === undefined || !option.required) continue;
      setVariable(t, option.envVar, '0');
      const value = await parsed(path, option).catch(() => null);
      if (value === 0) zeros.push(option.envVar);
      delete process.env[option.envVar];
    }
    for (const name of ['NET_PORT', 'NET_FOLLOW_PORT', 'NET_BLOBS_PORT']) {
      assert.ok(zeros.includes(name), name);
    }
  });
});

describe('a switch in the environment', () => {
  const switches = options.filter(
    ({ option: { envVar, required } }) => envVar !== undefined && !required,
  );
  it('is off with 0, false, no and off, and on with 1, true, yes and on', async (t) => {
    assert.ok(switches.length >= 5);
    for (const { path, option } of switches) {
      for (const word of ['0', 'false', 'no', 'OFF']) {
        setVariable(t, option.envVar ?? '', word);
        assert.equal(await parsed(path, option), undefined, `${option.envVar}=${word}`);
      }
      for (const word of ['1', 'true', 'yes', 'on']) {
        setVariable(t, option.envVar ?? '', word);
        assert.ok(await parsed(path, option), `${option.envVar}=${word}`);
      }
    }
  });

  it('refuses other words', async (t) => {
    for (const { path, option } of switches) {
      setVariable(t, option.envVar ?? '', 'perhaps');
      await assert.rejects(parsed(path, option), option.optional ? Error : /on or off: write 1/);
    }
  });
});

it('an empty folder on the command line deletes nothing', async () => {
  const { code, stderr } = await runHere(['reset', '--yes', '-d', '']);
  assert.equal(code, 2);
  assert.match(stderr, /--data-dir <path>' argument '' is invalid. It is empty/);
});

it('rules keep what an option makes of its values', () => {
  const seen: unknown[] = [];
  const option = { required: true, long: '--x', variadic: true } as Option;
  option.argParser = (parse) => Object.assign(option, { parseArg: parse });
  applyValueRules({ options: [option] } as unknown as Command, {});
  const parse = option.parseArg as unknown as (text: string, before: unknown) => unknown;
  seen.push(parse('a', undefined), parse('b', ['a']));
  assert.deepEqual(seen, [['a'], ['a', 'b']]);
});

test('a secret comes from its variable, or from the file that NAME_FILE names', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, 'hunter2\n');
  for (const name of SECRETS) {
    const env: NodeJS.ProcessEnv = { [`${name}_FILE`]: path };
    readSecretFiles(env);
    assert.deepEqual(env, { [name]: 'hunter2' });
    const both = { [name]: 'x', [`${name}_FILE`]: path };
    assert.throws(() => readSecretFiles(both), /are both set: keep one/);
  }
  writeFileSync(path, '\n');
  const env = { NET_PASSPHRASE_FILE: path };
  assert.throws(() => readSecretFiles(env), /NET_PASSPHRASE_FILE: .* is empty/);
  rmSync(path);
  assert.throws(() => readSecretFiles(env), /NET_PASSPHRASE_FILE: the file cannot be read/);
});
