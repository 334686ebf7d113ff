/** Every failure ends with a sentence, the exit code of its kind, and with --json a problem. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Agent } from '@netd/sdk';
import { Command, LAUNCHER } from './testing/command.ts';
import { startDevnet, writeDevJson, type Devnet } from './testing/devnet.ts';
import { runHere, type RunOptions } from './testing/run-here.ts';

let devnet: Devnet;
let keys: string;

before(async () => {
  devnet = await startDevnet();
  writeDevJson(devnet);
  keys = join(devnet.home, 'keys');
  process.env['NET_HOME'] = keys;
  process.env['NET_DATA_DIR'] = devnet.dataDir;
  const args = ['join', 'ada', '--key-dir', keys, '--url', devnet.node.url];
  assert.equal((await new Command(args, devnet.home).ended).code, 0);
});
after(() => devnet.stop());

/** @returns the sentence. Checks that --json has the same sentence and exit code */
async function refused(
  words: string | readonly string[],
  code: number,
  problemCode: string,
  options?: RunOptions,
): Promise<string> {
  const args = typeof words === 'string' ? words.split(' ') : words;
  const told = await runHere(args, options);
  assert.equal(told.code, code, `${args.join(' ')}: ${told.stderr}${told.stdout}`);
  assert.equal(told.stdout, '', 'nothing that could be taken for an answer');
  assert.ok(!told.stderr.includes('    at '), `a stack: ${told.stderr}`);
  const json = await runHere([...args, '--json'], options);
  assert.deepEqual([json.code, json.stderr], [code, ''], args.join(' '));
  const problem = JSON.parse(json.stdout) as { code: string; title: string };
  assert.equal(problem.code, problemCode, args.join(' '));
  assert.ok(problem.title.length > 0);
  return told.stderr;
}

test('suggests the nearest words for a typo, and sends nothing', async () => {
  const { height } = devnet.node.node.chain;
  for (const [words, sentence] of [
    ['agnets', /unknown command 'agnets'\n.*Did you mean agents\?/],
    ['agents --limt 3', /unknown option '--limt'\n.*Did you mean --limit\?/],
    ['agents --data x', /Did you mean --data-dir\?/],
    ['agents --url 127.0.0.1:8420', /The scheme is missing: write http:\/\/127\.0\.0\.1:8420/],
    ['agents --limit many', /whole number/],
    ['agents adaa', /there is no agent adaa; did you mean ada\?/],
    ['work lst', /Did you mean list\?/],
    ['act ada faucet amout=1', /no member amout; did you mean amount\?/],
    ['act ada fauct amount=1', /no such action as fauct; did you mean faucet\?/],
    ['act aba faucet amount=1', /no key for aba .*; did you mean ada\?/],
    ['act ada', /no such action as ada/],
    ['act', /missing required argument 'action'/],
    ['act ada faucet amount=1 --as bob', /say who acts once: ada or --as bob/],
    ['work show order-1', /there is no order order-1/],
    ['apply verfier bond=1NET', /there is no role verfier; did you mean VERIFIER\?/],
    ['events --type FaucetPayd', /no events of the type FaucetPayd; did you mean FaucetPaid\?/],
    ['events --after yesterday', /An event id is needed/],
    ['keys show aad', /did you mean ada\?/],
    ['keys new x', /cannot be the name of an agent/],
    ['message', /say who is to read what/],
    ['message adda hello', /there is no agent adda; did you mean ada\?/],
    ['message ada hello', /ada need not write to itself/],
    [
      'sessions grant s --actions tranfser --budget 5NET',
      /no such action as tranfser; did you mean transfer\?/,
    ],
    ['sessions grant s', /not specified\n.*netd sessions grant --help shows how/],
    ['sessions grant s --actions transfer --budget 1.5', /Write 5NET/],
    ['tokens --url ftp://x', /http or https address/],
  ] as const) {
    assert.match(await refused(words, 2, 'USAGE'), sentence, words);
  }
  const types = (await runHere(['events', '--after', '0.0', '--json'])).stdout.match(
    /"type":"\w+"/g,
  );
  assert.deepEqual(types, ['"type":"AgentRegistered"'], `since height ${height}`);
});

test('a refusal by the ledger is the problem of the node as it came', async () => {
  const privileged = 'act ada resolveDispute orderId=o-1 outcome=PAID';
  const beyond = await refused(privileged, 1, 'CAPABILITY_MISSING');
  assert.match(beyond, /ada holds none for resolveDispute/);
  assert.doesNotMatch(beyond, /Try:/, 'no agent can add it to itself');
  const { stdout } = await runHere([...privileged.split(' '), '--json']);
  const problem = JSON.parse(stdout) as Record<string, unknown>;
  assert.equal(problem['code'], 'CAPABILITY_MISSING');
  assert.equal(problem['status'], 409);
  assert.equal(typeof problem['requestId'], 'string');
  await refused('tokens tok-none', 1, 'TOKEN_NOT_FOUND');
});

test('keys that are missing, open to others, damaged, of another agent or chain', async () => {
  const mine = join(keys, 'net-devnet-1', 'ada.json');
  const at = (name: string): string => join(devnet.home, name);
  copyFileSync(mine, at('open.json'));
  chmodSync(at('open.json'), 0o644);
  writeFileSync(at('damaged.json'), '{"schema":"NET-AGENT-KEY/1"', { mode: 0o600 });
  mkdirSync(at('directory.json'));
  const act = (key: string): string => `act ada withdrawBeacon --key ${at(key)}`;
  const open = await refused(act('open.json'), 1, 'KEY_FILE');
  assert.match(open, /others than its owner may read or write it \(mode 644\): run chmod 600/);
  assert.match(await refused(act('damaged.json'), 1, 'KEY_FILE'), /not a NET-AGENT-KEY\/1 file/);
  assert.match(await refused(act('directory.json'), 1, 'KEY_FILE'), /EISDIR/);
  assert.match(await refused(act('none.json'), 1, 'KEY_FILE_MISSING'), /there is no key file/);
  const other = await refused(`act bob withdrawBeacon --key ${mine}`, 2, 'USAGE');
  assert.match(other, /is that of ada, not of bob/);
  chmodSync(mine, 0o644);
  assert.match((await runHere(['keys'])).stdout, /OPEN TO OTHERS: chmod 600/);
  await refused('act ada withdrawBeacon', 1, 'KEY_FILE');
  chmodSync(mine, 0o600);
});

test('a key that is sealed opens by its passphrase alone', async (t) => {
  const { url } = devnet.node;
  const [passphrase, wrong] = ['correct horse', 'battery staple'];
  const agent = await Agent.open('sealed', {
    url,
    keys,
    passphrase,
    beacon: false,
    memory: false,
    log: false,
  });
  await agent.stop();
  t.after(() => delete process.env['NET_PASSPHRASE']);
  const words = [
    'act sealed withdrawBeacon',
    'message ada hello --as sealed',
    'remember seen 1 --as sealed',
  ];
  for (const command of words) {
    delete process.env['NET_PASSPHRASE'];
    const unsaid = await refused(command, 1, 'KEY_FILE');
    assert.match(unsaid, /sealed with a passphrase; give it in NET_PASSPHRASE/, command);
    process.env['NET_PASSPHRASE'] = wrong;
    const mistaken = await refused(command, 1, 'KEY_FILE');
    assert.match(mistaken, /The passphrase does not open the key file/, command);
    assert.ok(!mistaken.includes(wrong), 'it is not shown');
  }
  process.env['NET_PASSPHRASE'] = passphrase;
  await refused(words[0] ?? '', 1, 'BEACON_NOT_FOUND');
});

test('a node that is down, that is none, or that is of another chain', async (t) => {
  const down = await refused('status --url http://127.0.0.1:1', 3, 'UNREACHABLE');
  assert.match(down, /no node answers at http:\/\/127\.0\.0\.1:1 \(bad port\); start one with npm/);
  await refused('act ada withdrawBeacon --url http://127.0.0.1:1', 3, 'UNREACHABLE');

  const page = createServer((_request, response) => response.end('<html>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  t.after(() => page.close());
  const { port } = page.address() as AddressInfo;
  const none = await refused(`status --url http://127.0.0.1:${port}`, 1, 'NOT_A_NODE');
  assert.match(none, /what answers at http:\S+ is no node: .* answers with/);
  const below = await refused(`status --url http://127.0.0.1:${port}/v1`, 2, 'URL_INVALID');
  assert.match(below, /ends in \/v1: write http/);
  // A TLS failure, like an untrusted certificate: a server answers, so the advice to start a node does not help.
  const plain = await refused(`status --url https://127.0.0.1:${port}`, 3, 'UNREACHABLE');
  assert.match(plain, /no node answers at https:\S+ \(.*SSL.*\); start one/);

  const other = await startDevnet({ chainId: 'net-other-1' });
  t.after(() => other.stop());
  const url = `--url ${other.node.url}`;
  const elsewhere = await refused(`act ada withdrawBeacon ${url}`, 2, 'USAGE');
  assert.match(elsewhere, /no key for ada on net-other-1, .*; there is one for net-devnet-1/);
  const key = join(keys, 'net-devnet-1', 'ada.json');
  const foreign = await refused(`act ada withdrawBeacon ${url} --key ${key}`, 1, 'WRONG_CHAIN');
  assert.match(foreign, /is a key of net-devnet-1, and \S+ is a node of net-other-1/);
});

test('the node is found by dev.json, else by the key file', async () => {
  const { node, home } = devnet;
  const env = { NET_HOME: keys };
  const status = async (more: NodeJS.ProcessEnv): Promise<string> =>
    (await new Command(['status', '--json'], home, [LAUNCHER], { ...env, ...more }).ended).stdout;
  const found = { url: node.url };
  assert.equal((JSON.parse(await status({ NET_DATA_DIR: 'chain' })) as typeof found).url, node.url);
  assert.equal((JSON.parse(await status({ NET_DATA_DIR: 'none' })) as typeof found).url, node.url);
  const nothing = await status({ NET_DATA_DIR: 'none', NET_HOME: join(home, 'no-keys') });
  assert.match(nothing, /127\.0\.0\.1:8420|UNREACHABLE/);
});

test('nothing comes from standard input', async () => {
  const sentence = await refused(['act', 'ada', 'faucet', '-'], 2, 'USAGE', { input: '' });
  assert.match(sentence, /standard input is empty/);
  await refused(['act', 'ada', 'faucet', '-'], 2, 'USAGE', { input: '{"amount":' });
  // The input is closed, as by <&-.
  const closed = new Command(
    ['-c', `exec '${process.execPath}' '${LAUNCHER}' act ada faucet - <&-`],
    devnet.home,
    ['/bin/sh'],
    { NET_HOME: keys, NET_DATA_DIR: 'chain' },
  );
  const { code, stderr } = await closed.ended;
  assert.equal(code, 2, stderr);
  assert.match(stderr, /standard input/);
});

test('a reader that has seen enough ends it quietly', async () => {
  const head = new Command(
    ['-c', `'${process.execPath}' '${LAUNCHER}' act --help | head -n 1; echo "\${PIPESTATUS[0]}"`],
    devnet.home,
    ['/bin/bash'],
  );
  const { stdout, stderr } = await head.ended;
  assert.match(stdout, /^Usage: netd act .*\n0\n$/);
  assert.equal(stderr, '');
  // The join client is a separate program that netd join starts.
  const joining = new Command(
    ['-c', `'${process.execPath}' '${LAUNCHER}' join --help | true; echo "\${PIPESTATUS[0]}"`],
    devnet.home,
    ['/bin/bash'],
  );
  assert.deepEqual(await joining.ended, { code: 0, stdout: '0\n', stderr: '' });
});

test('an empty HOME is unset, so that no key goes into the working directory', async () => {
  // https://github.com/profullstack/sh1pt/issues/695, https://github.com/rust-lang/rust/pull/141840
  const env = { HOME: '', NET_HOME: '' };
  const listed = new Command(['keys', 'list', '--json'], devnet.home, undefined, env);
  const { keyDir } = JSON.parse((await listed.ended).stdout) as { keyDir: string };
  assert.equal(keyDir, join(userInfo().homedir, '.netd', 'keys'));
});

test('Ctrl-C ends what follows, and says what it cannot take back', async () => {
  const args = ['events', '-f', '--after', '0.0'];
  const env = { NET_HOME: keys, NET_DATA_DIR: 'chain' };
  const following = new Command(args, devnet.home, [LAUNCHER], env);
  while (!following.stdout.includes('AgentRegistered') && following.child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  following.child.kill('SIGINT');
  const { code, stderr } = await following.ended;
  assert.deepEqual([code, stderr], [130, '']);

  const controller = new AbortController();
  const acting = runHere(['act', 'ada', 'extendAgentCapabilities', 'actions=transfer'], {
    signal: controller.signal,
    // The request is signed and sent.
    onListen: () => controller.abort(),
  });
  const told = await acting;
  assert.equal(told.code, 130);
  assert.match(told.stderr, /may be committed all the same; .* events --agent ada shows it/);
});

test('prints no colors to a pipe, unless FORCE_COLOR is set', async () => {
  const shown = async (env: NodeJS.ProcessEnv): Promise<boolean> => {
    const more = { NET_HOME: keys, NET_DATA_DIR: 'chain', ...env };
    const { stdout } = await new Command(['status'], devnet.home, [LAUNCHER], more).ended;
    assert.match(stdout, /net-devnet-1/);
    return stdout.includes('\u001B[');
  };
  assert.equal(await shown({}), false, 'a pipe');
  assert.equal(await shown({ FORCE_COLOR: '1' }), true);
  assert.equal(await shown({ NO_COLOR: '1' }), false);
});

test('a chain is not deleted by mistake', async (t) => {
  const { dataDir } = devnet;
  assert.match(await refused(`reset -d ${devnet.home}`, 2, 'USAGE'), /there is no chain in/);
  assert.match(await refused(`reset -d ${dataDir} --yes`, 1, 'FAILED'), /is running on/);
  const gone = await startDevnet();
  t.after(() => rmSync(gone.home, { recursive: true }));
  await gone.node.stop();
  writeFileSync(join(gone.dataDir, 'notes.txt'), 'mine');
  assert.match(await refused(`reset -d ${gone.dataDir}`, 2, 'USAGE'), /pass --yes/);
  assert.ok(existsSync(join(gone.dataDir, 'genesis.json')));
  const key = readFileSync(join(gone.dataDir, 'keys', 'operator.json'), 'utf8');
  const { code, stdout } = await runHere(['reset', '-d', gone.dataDir, '--yes']);
  assert.equal(code, 0);
  const [, aside = ''] = /Its keys are in (\S+)\. The next/.exec(stdout) ?? [];
  assert.equal(readFileSync(join(aside, 'operator.json'), 'utf8'), key);
  assert.ok(!existsSync(join(gone.dataDir, 'keys')));
  assert.match(stdout, /^Deleted .*genesis\.json/);
  assert.ok(!existsSync(join(gone.dataDir, 'genesis.json')));
  assert.ok(existsSync(join(gone.dataDir, 'notes.txt')), 'what is not of the chain stays');
});

test(
  'a node whose facts cannot be written stops again, and says why',
  { timeout: 300_000 },
  async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'netd-facts-'));
    t.after(() => rmSync(home, { recursive: true }));
    mkdirSync(join(home, 'chain', 'dev.json'), { recursive: true });
    const mark = '{"schema":"NET-FOLDER/1","holds":"node"}';
    writeFileSync(join(home, 'chain', '.netd-folder.json'), mark);
    const args = ['dev', '--port', '0', '--house', 'none', '--data-dir', 'chain'];
    const { code, stdout, stderr } = await new Command(args, home).ended;
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^netd: the data directory \S+ holds a directory in the place of a file/m);
  },
);
