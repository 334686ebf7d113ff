/** No output contains the password of a URL, in whichever option, variable, file or stored document it was given. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Command, Option } from 'commander';
import { buildProgram } from './build-program.ts';
import { NETD } from './command-table.ts';
import { optionsOf } from './run-config.ts';
import { ROLE_NAMES, ROLES } from './roles.ts';
import { runHere } from './testing/run-here.ts';
import { processTerminal } from './terminal.ts';

const PLANTED = ['http://user:hunter2@127.0.0.1:1', 'http://user:hunter2@127.0.0.1:99999'];

async function showsNothing(args: readonly string[], where = args.join(' ')): Promise<void> {
  for (const more of [[], ['--json']]) {
    const { code, stdout, stderr } = await runHere([...args, ...more]);
    assert.ok(!`${stdout}${stderr}`.includes('hunter2'), `${where}: ${stdout}${stderr}`);
    assert.notEqual(code, 0, where);
  }
}

interface Planted {
  path: string[];
  option: Option;
}

/** Options that take an address. */
function addressesOf(command: Command, path: string[]): Planted[] {
  const below = command.commands.flatMap((one) => addressesOf(one, [...path, one.name()]));
  const isAddress = ({ flags }: Option): boolean =>
    /<[^>]*(?:url|origin|uri|host:port)/.test(flags);
  return [...command.options.filter(isAddress).map((option) => ({ path, option })), ...below];
}

function withVariable(t: TestContext, name: string, value: string): () => void {
  const before = process.env[name];
  const restore = (): void => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  };
  t.after(restore);
  process.env[name] = value;
  return restore;
}

test('an option or variable of any command', async (t) => {
  const here = process.cwd();
  t.after(() => process.chdir(here));
  process.chdir(tempDir(t));
  const program = await buildProgram(NETD, processTerminal(), null);
  const planted = addressesOf(program, []);
  assert.ok(planted.length >= 40, `${planted.length} options`);
  const variables = new Map<string, string[]>();
  for (const { path, option } of planted) {
    // The program join has its own options.
    if (path[0] === 'join') continue;
    for (const url of PLANTED) await showsNothing([...path, option.long ?? '', url]);
    if (option.envVar !== undefined) variables.set(option.envVar, path);
  }
  assert.ok(variables.size >= 5, [...variables.keys()].join(' '));
  for (const [name, path] of variables) {
    const restore = withVariable(t, name, PLANTED[0] ?? '');
    await showsNothing(path, name);
    restore();
  }
  for (const args of [['follow'], ['compare']]) await showsNothing([...args, ...PLANTED]);
});

test('an option of a configuration file, of any role', async (t) => {
  const file = join(tempDir(t), 'config.json');
  for (const role of ROLE_NAMES) {
    for (const option of optionsOf(await ROLES[role].load())) {
      for (const url of PLANTED) {
        const given = { role, dataDir: '/nowhere', peers: url, [option.attributeName()]: url };
        writeFileSync(file, JSON.stringify(given));
        await showsNothing(['config', 'check', file], `${role} ${option.attributeName()}`);
      }
    }
  }
  // V8 quotes a piece of a text that is not JSON.
  for (const text of [
    `{"publicUrl": ${PLANTED[0]}}`,
    `{"publicUrl": "${PLANTED[0]}" x}`,
    'hunter2',
  ]) {
    writeFileSync(file, text);
    await showsNothing(['run', '--config', file]);
  }
});

test('a document that an earlier version stored', async (t) => {
  const home = tempDir(t);
  const chain = join(home, 'chain');
  mkdirSync(chain);
  const [url = ''] = PLANTED;
  const facts = { schema: 'NET-DEV/1', url, chainId: 'net-x', dataDir: chain, pid: 1 };
  writeFileSync(join(chain, 'dev.json'), JSON.stringify(facts));
  await showsNothing(['status', '-d', chain]);
  await showsNothing(['agents', '-d', chain]);
  const origins = {
    schema: 'NET-FOLLOWER/1',
    origins: [url],
    genesisHash: 'f'.repeat(64),
    anchor: {},
  };
  writeFileSync(join(home, 'follow.json'), JSON.stringify(origins));
  const { code, stderr } = await runHere(['follow', '-d', home, '-p', '0']);
  assert.equal(code, 2);
  assert.match(stderr, /http:\/\/\*\*\*@127\.0\.0\.1:1 is named with a password/);
});
