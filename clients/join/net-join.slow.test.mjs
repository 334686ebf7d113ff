/**
 * The join client against a small server that answers as a node does. The client runs as users run it: as a process,
 * from a file, with nothing but its arguments, its environment and a key directory of its own.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('net-join.mjs', import.meta.url));
const CHAIN_ID = 'net-test-1';
// RFC 8032 section 7.1, test 1.
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const SEED_PUBLIC_HEX = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const jcs = (object) =>
  JSON.stringify(Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))));

/** A node that registers agents; `hooks.register(n)` may take over the n-th registration request. */
async function startNode(t, hooks = {}) {
  const agents = new Map();
  const posts = [];
  const server = createServer((request, response) => {
    let body = '';
    const reply = (status, value, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (request.url === '/v1/network') {
        const { registration } = hooks;
        return reply(200, { chainId: hooks.chainId ?? CHAIN_ID, height: 41, registration });
      }
      if (request.url === '/v1/agents/register' && request.method === 'POST') {
        posts.push(body);
        const commit = () => register(body);
        const hook = hooks.register?.(posts.length, { commit, reply, response });
        if (hook) return undefined;
        return reply(...commit());
      }
      const agent = agents.get(request.url.replace('/v1/agents/', ''));
      if (!agent) return reply(404, { code: 'AGENT_NOT_FOUND', status: 404 });
      const publicKeyHash = hooks.shownKeyHash ?? agent.publicKeyHash;
      return reply(200, { agentId: agent.agentId, authority: { publicKeyHash } });
    });
  });

  function register(text) {
    const envelope = JSON.parse(text);
    const { signature, ...unsigned } = envelope;
    assert.ok(
      verify(
        null,
        Buffer.from(jcs(unsigned)),
        envelope.publicKey,
        Buffer.from(signature, 'base64'),
      ),
      'the signature covers the canonical envelope',
    );
    assert.equal(envelope.publicKeyHash, sha256(JSON.stringify(envelope.publicKey)));
    const transitionHash = sha256(jcs(envelope));
    const known = agents.get(envelope.actorId);
    if (known) {
      const same = known.receipt.transitionHash === transitionHash;
      const problem = { code: 'AGENT_EXISTS', status: 409, title: 'This actorId is taken' };
      return [409, same ? { ...problem, receipt: known.receipt } : problem];
    }
    const receipt = {
      height: 42 + agents.size,
      blockHash: sha256('block'),
      stateRoot: sha256('state'),
      transitionHash,
      index: 0,
      certificateHash: sha256('certificate'),
      events: [],
    };
    const { actorId: agentId, publicKeyHash } = envelope;
    agents.set(agentId, { agentId, publicKeyHash, receipt });
    return [201, { agentId, ...receipt, receipt }];
  }

  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, agents, posts };
}

function newKeyDir(t) {
  const parent = fs.mkdtempSync(join(tmpdir(), 'net-join-'));
  t.after(() => fs.rmSync(parent, { recursive: true, force: true }));
  return join(parent, 'home', 'keys');
}

/** Runs the client; `args` are as typed, `url` and `keyDir` travel in the environment. */
async function run({ url, keyDir, env = {} }, ...args) {
  const child = spawn(process.execPath, [CLIENT, ...args], {
    env: { PATH: process.env.PATH, NET_URL: url, NET_HOME: keyDir, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((done) => child.on('close', done));
  assert.doesNotMatch(stdout + stderr, /PRIVATE KEY/);
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack traces');
  return { code, stdout, stderr, json: args.includes('--json') ? JSON.parse(stdout) : undefined };
}

const keyFile = (keyDir, actorId, chainId = CHAIN_ID) => join(keyDir, chainId, `${actorId}.json`);
const readKey = (...where) => JSON.parse(fs.readFileSync(keyFile(...where), 'utf8'));
const modeOf = (path) => fs.statSync(path).mode & 0o777;

test('does the work that a name costs, and refuses to work for hours', async (t) => {
  const registration = { price: 'work', workBits: 8 };
  const node = await startNode(t, { registration });
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, stderr } = await run(at, 'worker');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /proof of work of 8 bits/);
  const { signature: _, ...unsigned } = JSON.parse(node.posts[0]);
  assert.match(sha256(jcs(unsigned)), /^00/);
  registration.workBits = 31;
  const dear = await run(at, 'idler');
  assert.match(dear.stderr, /proof of work of 31 bits here, more than the 30/);
  assert.equal(node.posts.length, 1);
});

test('joins, says where to look, and keeps the key in a private file', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, stdout, stderr } = await run(at, 'my-agent', 'reads “papers” 📄');
  assert.equal(stderr, '');
  assert.equal(code, 0);

  const path = keyFile(at.keyDir, 'my-agent');
  const { transitionHash, blockHash } = node.agents.get('my-agent').receipt;
  for (const expected of [
    `Joined ${CHAIN_ID} as my-agent`,
    `at height 42, block ${blockHash}`,
    `${node.url}/v1/agents/my-agent`,
    `${node.url}/v1/transitions/${transitionHash}`,
    `${node.url}/v1/state/proof?key=agent/my-agent`,
    `${node.url}/v1/discovery?agentId=my-agent`,
    path,
    'the node shows our key',
    'npx netd work list',
  ]) {
    assert.ok(stdout.includes(expected), `${expected} is missing in\n${stdout}`);
  }

  assert.equal(modeOf(path), 0o600);
  for (const directory of [at.keyDir, join(at.keyDir, CHAIN_ID)]) {
    assert.equal(modeOf(directory), 0o700);
  }
  assert.deepEqual(fs.readdirSync(join(at.keyDir, CHAIN_ID)), ['my-agent.json']);

  const key = readKey(at.keyDir, 'my-agent');
  assert.deepEqual(Object.keys(key), [
    'schema',
    'chainId',
    'url',
    'actorId',
    'publicKey',
    'publicKeyHash',
    'privateKey',
    'registration',
  ]);
  assert.equal(key.schema, 'NET-AGENT-KEY/1');
  assert.match(key.privateKey, /^-----BEGIN PRIVATE KEY-----\n/);
  assert.deepEqual(
    JSON.parse(node.posts[0]),
    key.registration,
    'the stored registration is the sent one',
  );
  assert.deepEqual(Object.keys(key.registration).sort(), [
    'actorId',
    'chainId',
    'description',
    'nonce',
    'publicKey',
    'publicKeyHash',
    'signature',
  ]);
  assert.match(key.registration.nonce, /^[a-f0-9]{32}$/);
});

test('the key file is complete before the request leaves', async (t) => {
  const keyDir = newKeyDir(t);
  let onDisk;
  const node = await startNode(t, {
    register: () => void (onDisk = readKey(keyDir, 'early')),
  });
  assert.equal((await run({ url: node.url, keyDir }, 'early')).code, 0);
  assert.deepEqual(onDisk.registration, JSON.parse(node.posts[0]));
});

test('a lost answer is recovered within one run, by the same bytes', async (t) => {
  const node = await startNode(t, {
    register: (n, { commit, response }) => n === 1 && (commit(), response.destroy(), true),
  });
  const { code, json } = await run({ url: node.url, keyDir: newKeyDir(t) }, 'lost', '--json');
  assert.equal(code, 0);
  assert.equal(json.status, 'recovered');
  assert.equal(json.height, 42);
  assert.equal(node.posts.length, 2);
  assert.equal(node.posts[0], node.posts[1]);
});

test('a lost answer is recovered by the next run, description left out or repeated', async (t) => {
  let deaf = true;
  const node = await startNode(t, {
    register: (n, { commit, response }) =>
      deaf && (n === 1 ? commit() : null, response.destroy(), true),
  });
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const first = await run(at, 'lost', 'reads papers', '--json');
  assert.equal(first.code, 3);
  assert.equal(first.json.code, 'UNREACHABLE');
  assert.match(first.json.message, /may have arrived/);
  assert.equal(first.json.keyFile, keyFile(at.keyDir, 'lost'));
  assert.equal(node.posts.length, 5, 'one request and four repetitions');

  deaf = false;
  const before = fs.readFileSync(keyFile(at.keyDir, 'lost'));
  const second = await run(at, 'lost');
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /had joined .* recovered its receipt/);
  assert.equal((await run(at, 'lost', 'reads papers', '--json')).json.status, 'recovered');
  assert.equal(new Set(node.posts).size, 1);
  assert.deepEqual(fs.readFileSync(keyFile(at.keyDir, 'lost')), before);
});

test('a name taken by someone else is refused, and the key file is kept', async (t) => {
  const node = await startNode(t);
  assert.equal((await run({ url: node.url, keyDir: newKeyDir(t) }, 'taken')).code, 0);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, stderr, stdout } = await run(at, 'taken');
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /taken by someone else.*another name/);
  assert.ok(stderr.includes(keyFile(at.keyDir, 'taken')));
  assert.ok(fs.existsSync(keyFile(at.keyDir, 'taken')));
});

test('the same seed from another key directory is distinguished from a stranger', async (t) => {
  const node = await startNode(t);
  await run({ url: node.url, keyDir: newKeyDir(t) }, 'mine', '--seed', SEED);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, json } = await run(at, 'mine', '--json', '--seed', SEED);
  assert.equal(code, 1);
  assert.equal(json.code, 'ALREADY_REGISTERED');
});

test('another network than the expected one is refused before anything is created', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, stderr } = await run(at, 'my-agent', '--network', 'net-other-1');
  assert.equal(code, 1);
  assert.match(stderr, /serves net-test-1, not net-other-1/);
  assert.equal(fs.existsSync(at.keyDir), false);
  assert.equal(node.posts.length, 0);
  assert.equal((await run(at, 'my-agent', '--network', CHAIN_ID)).code, 0);
});

test('a chain id that would leave the key directory is refused', async (t) => {
  const node = await startNode(t, { chainId: '../../evil' });
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, json } = await run(at, 'my-agent', '--json');
  assert.equal(code, 1);
  assert.equal(json.code, 'NOT_A_NODE');
  assert.equal(fs.existsSync(at.keyDir), false);
});

test('an existing key is reused and tightened, never overwritten or silently changed', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  await run(at, 'my-agent', 'reads papers', '--referrer', 'root-agent');
  const path = keyFile(at.keyDir, 'my-agent');
  const before = fs.readFileSync(path, 'utf8');

  for (const { args, code } of [
    { args: ['writes papers'], code: 'REGISTRATION_DIFFERS' },
    { args: ['reads papers', '--referrer', 'other-agent'], code: 'REGISTRATION_DIFFERS' },
    { args: ['reads papers', '--seed', SEED], code: 'KEY_DIFFERS' },
  ]) {
    const refused = await run(at, 'my-agent', ...args, '--json');
    assert.equal(refused.code, 1);
    assert.equal(refused.json.code, code);
  }
  assert.equal(node.posts.length, 1);

  fs.chmodSync(path, 0o644);
  const again = await run(at, 'my-agent', 'reads papers', '--referrer', 'root-agent');
  assert.equal(again.code, 0);
  assert.match(again.stderr, /open to other users \(mode 644\)/);
  assert.equal(modeOf(path), 0o600);
  assert.equal(fs.readFileSync(path, 'utf8'), before);
});

test('a damaged key file is refused and left alone', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  await run(at, 'my-agent', 'reads papers');
  const path = keyFile(at.keyDir, 'my-agent');
  const intact = fs.readFileSync(path, 'utf8');
  for (const damaged of ['', '{}', intact.slice(0, -40), intact.replace('reads', 'reads many')]) {
    fs.writeFileSync(path, damaged);
    const { code, json } = await run(at, 'my-agent', '--json');
    assert.equal(code, 1);
    assert.equal(json.code, 'KEY_FILE');
    assert.equal(fs.readFileSync(path, 'utf8'), damaged);
  }
  assert.equal(node.posts.length, 1);
});

test('runs at the same time agree on one key', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const runs = await Promise.all(
    Array.from({ length: 6 }, () => run(at, 'duplicate', 'reads papers', '--json')),
  );
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
  const joined = runs.filter(({ json }) => json.status === 'joined');
  const recovered = runs.filter(({ json }) => json.status === 'recovered');
  assert.deepEqual([joined.length, recovered.length], [1, 5]);
  assert.equal(new Set(node.posts).size, 1);
  assert.deepEqual(fs.readdirSync(join(at.keyDir, CHAIN_ID)), ['duplicate.json']);
});

test('a seed gives the key of the RFC, by option or by environment, and is not printed', async (t) => {
  const node = await startNode(t);
  const spkiHeader = '302a300506032b6570032100';
  for (const { actorId, args, env } of [
    { actorId: 'by-option', args: ['--seed', SEED], env: {} },
    { actorId: 'by-environment', args: [], env: { NET_SEED: SEED.toUpperCase() } },
  ]) {
    const at = { url: node.url, keyDir: newKeyDir(t), env };
    const { code, stdout, stderr } = await run(at, actorId, ...args);
    assert.equal(code, 0, stderr);
    assert.ok(!stdout.includes(SEED));
    const { publicKey } = readKey(at.keyDir, actorId);
    const der = Buffer.from(publicKey.replace(/-----.*-----|\n/g, ''), 'base64').toString('hex');
    assert.equal(der, spkiHeader + SEED_PUBLIC_HEX);
  }
});

test('wrong usage exits with 2, in a sentence, before anything is created or sent', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  for (const args of [
    [],
    ['..'],
    ['a'],
    ['a/b'],
    ['-agent'],
    ['my-agent\n'],
    ['x'.repeat(65)],
    ['my-agent', 'reads', 'papers'],
    ['my-agent', 'x'.repeat(281)],
    ['my-agent', '--seed', 'abc'],
    ['my-agent', '--referrer', 'no spaces'],
    ['my-agent', '--referrer', 'my-agent'],
    ['my-agent', '--network', '../x'],
    ['my-agent', '--unknown'],
    ['my-agent', '--url', 'nonsense'],
    ['my-agent', '--url', 'ftp://127.0.0.1'],
    ['my-agent', '--url', 'http://example.org'],
    ['my-agent', '--url', 'http://user:secret@127.0.0.1'],
  ]) {
    const { code, stderr, stdout } = await run(at, ...args);
    assert.equal(code, 2, `${JSON.stringify(args)} ${stderr}`);
    assert.match(stderr, /^net-join: .+ Try --help\.\n$/s);
    assert.equal(stdout, '');
  }
  const { code, json } = await run(at, '--json', 'a/b');
  assert.equal(code, 2);
  assert.equal(json.code, 'USAGE');
  assert.equal(node.posts.length, 0);
  assert.equal(fs.existsSync(at.keyDir), false);
});

test('280 code points fit, whatever they take in UTF-16', async (t) => {
  const node = await startNode(t);
  const at = { url: node.url, keyDir: newKeyDir(t) };
  assert.equal((await run(at, 'my-agent', '📄'.repeat(280))).code, 0);
});

test('help and version need no node', async () => {
  const at = { url: 'http://127.0.0.1:1', keyDir: '/nowhere' };
  const help = await run(at, '--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--allow-http/);
  const version = await run(at, '--version');
  assert.equal(version.code, 0);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
});

test('a busy node is asked again after Retry-After, with the same bytes', async (t) => {
  const node = await startNode(t, {
    register: (n, { reply }) => {
      if (n > 2) return false;
      const status = n === 1 ? 503 : 429;
      reply(status, { code: 'OVERLOADED', status }, { 'retry-after': n === 1 ? '1' : '0' });
      return true;
    },
  });
  const started = Date.now();
  const { code, json } = await run({ url: node.url, keyDir: newKeyDir(t) }, 'patient', '--json');
  assert.equal(code, 0);
  assert.equal(json.status, 'joined');
  assert.ok(Date.now() - started >= 1000);
  assert.equal(node.posts.length, 3);
  assert.equal(new Set(node.posts).size, 1);
});

test('a node that stays busy is given up on after four repetitions', async (t) => {
  const node = await startNode(t, {
    register: (_, { reply }) => (reply(503, { code: 'OVERLOADED' }, { 'retry-after': '0' }), true),
  });
  const { code, json } = await run({ url: node.url, keyDir: newKeyDir(t) }, 'patient', '--json');
  assert.equal(code, 3);
  assert.equal(json.code, 'BUSY');
  assert.match(json.message, /Run the same command again/);
  assert.equal(node.posts.length, 5);
});

test('an unreachable node is explained', async (t) => {
  const keyDir = newKeyDir(t);
  const closed = createServer();
  await new Promise((ready) => closed.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${closed.address().port}`;
  await new Promise((done) => closed.close(done));
  const { code, stderr } = await run({ url, keyDir }, 'my-agent');
  assert.equal(code, 3);
  assert.ok(stderr.startsWith(`net-join: Nothing answers at ${url}: is the node running?`), stderr);
  assert.match(stderr, /npm start/);
  assert.equal(fs.existsSync(keyDir), false);
});

test('a refusal is passed on in the words of the node, which cannot steer the terminal', async (t) => {
  const node = await startNode(t, {
    register: (_, { reply }) => (
      reply(409, { code: 'REFERRER_UNKNOWN', title: 'The referrer is not an agent\u001b[2J' }),
      true
    ),
  });
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const { code, stderr } = await run(at, 'my-agent', '--referrer', 'nobody');
  assert.equal(code, 1);
  assert.match(stderr, /REFERRER_UNKNOWN: The referrer is not an agent/);
  assert.ok(!stderr.includes('\u001b'));
  assert.equal(node.posts.length, 1);
});

test('a receipt of other bytes is not taken for ours', async (t) => {
  const receipt = { height: 7, blockHash: sha256('block'), transitionHash: sha256('other') };
  for (const status of [201, 409]) {
    const node = await startNode(t, {
      register: (_, { reply }) => (reply(status, { code: 'AGENT_EXISTS', receipt }), true),
    });
    const { code, json } = await run({ url: node.url, keyDir: newKeyDir(t) }, 'my-agent', '--json');
    assert.equal(code, 1);
    assert.equal(json.code, 'RECEIPT_INVALID');
  }
});

test('a node that shows another key for the agent is noticed', async (t) => {
  const node = await startNode(t, { shownKeyHash: sha256('another key') });
  const { code, stderr } = await run({ url: node.url, keyDir: newKeyDir(t) }, 'my-agent');
  assert.equal(code, 1);
  assert.match(stderr, /now shows another key/);
});

test('a node that shows no key is tolerated, with a note', async (t) => {
  const node = await startNode(t, { shownKeyHash: 1 });
  const { code, stdout } = await run({ url: node.url, keyDir: newKeyDir(t) }, 'my-agent');
  assert.equal(code, 0);
  assert.match(stdout, /not checked/);
});

test('a key file that an SDK has made, without a registration, is taken and left as it is', async (t) => {
  let refuse = true;
  const node = await startNode(t, {
    register: (_n, { reply }) => refuse && (reply(400, { code: 'PAYLOAD_INVALID' }), true),
  });
  const at = { url: node.url, keyDir: newKeyDir(t) };
  const other = await startNode(t);
  assert.equal((await run({ ...at, url: other.url }, 'made')).code, 0);
  const path = keyFile(at.keyDir, 'made');
  const { url: _, registration: __, ...bare } = readKey(at.keyDir, 'made');
  fs.writeFileSync(path, JSON.stringify(bare));
  assert.equal((await run(at, 'made', 'reads papers')).code, 1);
  refuse = false;
  const { code, stdout, stderr } = await run(at, 'made', 'reads papers');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Joined/);
  assert.deepEqual(readKey(at.keyDir, 'made'), bare);
  assert.equal(new Set(node.posts).size, 1, 'the same bytes each time');
  assert.equal(JSON.parse(node.posts[0]).description, 'reads papers');
  assert.match((await run(at, 'made', 'reads papers')).stdout, /recovered its receipt/);
  assert.match((await run(at, 'made')).stderr, /ALREADY_REGISTERED|nothing to do/);

  fs.writeFileSync(path, JSON.stringify({ ...bare, actorId: 'other' }));
  assert.equal((await run(at, 'made')).code, 1);
  const { privateKey: ___, ...sealed } = bare;
  fs.writeFileSync(path, JSON.stringify({ ...sealed, sealedPrivateKey: 'a.b.c.d.e' }));
  assert.match((await run(at, 'made')).stderr, /sealed with a passphrase/);
});
