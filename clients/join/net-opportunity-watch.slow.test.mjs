/** The watcher as a visitor runs it: a process of its own, against a real node, and against the same node with one lie at a time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEVNET_POLICY } from '@netd/ledger';
import { plays } from '@netd/protocol/testing';
import { serve } from '@netd/node';
import { hashWithout } from '@netd/protocol';
import { AgentKey, NetClient } from '@netd/sdk';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { withoutAdmissionTable } from '@netd/testkit/without-admission-table';

const WATCH = fileURLToPath(new URL('net-opportunity-watch.mjs', import.meta.url));
const directory = fs.mkdtempSync(join(tmpdir(), 'net-watch-'));
/** Words that a shell or a terminal would act on. */
const TITLE = '$(touch hacked); "`touch hacked`" \u001b[2J';

let running;
let proxy;
let client;
let operator;
let worker;
let genesisHash;

before(async () => {
  const dataDir = join(directory, 'node');
  // Version 2 of the rules refuses the title.
  makeFastDevnet(dataDir, { policy: DEVNET_POLICY, rules: 1 });
  running = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  proxy = await TamperingProxy.before(running.url);
  client = new NetClient({ url: running.url });
  ({ genesisHash } = await client.network());
  const { actorId, privateKey, publicKey } = running.node.dataDir.operator;
  operator = { actorId, key: await AgentKey.fromPem({ privateKey, publicKey }) };
  worker = { actorId: 'worker', key: await AgentKey.generate() };
  await client.register(worker);
  await withoutAdmissionTable(() => offer('o-1', { title: TITLE }));
});
after(async () => {
  proxy.close();
  await running.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

function offer(orderId, members = {}) {
  return client.act(operator, 'createWorkOrder', {
    orderId,
    title: `Read ${orderId}`,
    scopeHash: 'cd'.repeat(32),
    jobType: 'reading',
    requirements: ['Close Reading'],
    funding: 1_000_000,
    ...members,
  });
}

let runs = 0;
/** A run with a home of its own, unless one is given. */
async function run(args, { url = running.url, home = join(directory, `home-${runs++}`) } = {}) {
  fs.mkdirSync(home, { recursive: true });
  const child = start(args, url, home);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((done) => {
    child.on('close', done);
  });
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack traces');
  return { code, stdout, stderr, home, facts: args.includes('--json') ? linesOf(stdout) : [] };
}

const start = (args, url, home) =>
  spawn(process.execPath, [WATCH, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, NET_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const linesOf = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const changesOf = (facts) => facts.map(({ change, orderId }) => `${change} ${orderId}`);
const trusted = (...more) => ['--genesis', genesisHash, '--once', '--json', ...more];

describe('a watcher', () => {
  test('reports what came and went since the last time, each once', async () => {
    const first = await run(trusted());
    assert.equal(first.code, 0, first.stderr);
    assert.equal(first.stderr, '');
    const [fact] = first.facts;
    assert.deepEqual(
      [fact.change, fact.orderId, fact.verdict, fact.job.title],
      ['added', 'o-1', 'trusted', TITLE],
    );
    assert.deepEqual((await run(trusted(), first)).facts, []);
    await offer('o-2');
    await offer('o-3');
    assert.deepEqual(changesOf((await run(trusted(), first)).facts).toSorted(), [
      'added o-2',
      'added o-3',
    ]);
    await client.act(worker, 'acceptWork', { orderId: 'o-3' });
    await client.act(operator, 'cancelWorkOrder', { orderId: 'o-2' });
    const { facts } = await run(trusted(), first);
    assert.deepEqual(
      facts.map(({ change, orderId, job }) => [change, orderId, job.status]).sort(),
      [
        ['removed', 'o-2', 'REJECTED'],
        ['removed', 'o-3', 'ACCEPTED'],
      ],
    );
    assert.deepEqual(await run(trusted(), first).then(({ facts: none }) => none), []);
  });

  test('writes its cursor and nothing else, and only reads from the node', async () => {
    const written = async () =>
      (await client.read('/v1/events', { after: '0.0', limit: 1_000 })).events.length;
    const earlier = await written();
    const { home } = await run(trusted());
    const files = fs.readdirSync(home, { recursive: true, withFileTypes: true });
    assert.deepEqual(
      files.filter((entry) => entry.isFile()).map(({ name }) => name),
      [`${running.node.dataDir.genesis.chainId}.json`],
    );
    assert.equal(await written(), earlier);
  });

  test('says that a network without a pinned genesis is not pinned, and pins it', async () => {
    const { code, stderr, facts, home } = await run(['--once', '--json']);
    assert.equal(code, 0);
    assert.match(stderr, new RegExp(`--genesis ${genesisHash}`));
    assert.equal(facts[0].verdict, 'self-consistent');
    const other = await serve({
      host: '127.0.0.1',
      port: 0,
      dataDir: join(directory, 'other'),
      chainId: running.node.dataDir.genesis.chainId,
      blockTime: 1,
    });
    try {
      const moved = await run(['--once'], { url: other.url, home });
      assert.equal(moved.code, 1);
      assert.match(moved.stderr, /of another network/);
      const named = await run(trusted(), { url: other.url });
      assert.equal(named.code, 1);
      assert.match(named.stderr, /not the one you know/);
    } finally {
      await other.stop();
    }
  });

  test('tells people in lines that cannot steer their terminal', async () => {
    const { stdout } = await run(['--once', '--genesis', genesisHash]);
    assert.match(stdout, /^added {4}o-1 {2}1 NET {2}reading {2}"/);
    assert.doesNotMatch(stdout.trimEnd(), /[^\P{C}\n]/u);
  });

  test('keeps to a requirement, however it is written', async () => {
    const some = await run(trusted('--requirement', ' close_READING '));
    assert.deepEqual(changesOf(some.facts), ['added o-1']);
    const none = await run(trusted('--requirement', 'writing'));
    assert.deepEqual(none.facts, []);
    // A job outside the new filter is not reported as removed.
    assert.deepEqual((await run(trusted('--requirement', 'writing'), some)).facts, []);
  });

  test('ends silently if its output is closed', async () => {
    const home = join(directory, 'unread');
    fs.mkdirSync(home);
    const child = start(trusted(), running.url, home);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const code = await new Promise((done) => {
      child.on('close', done);
    });
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('goes on until it is stopped', async () => {
    const home = join(directory, 'going');
    fs.mkdirSync(home);
    const child = start(['--genesis', genesisHash, '--json', '--interval', '1'], running.url, home);
    const told = [];
    const stopped = new Promise((done) => {
      child.on('close', done);
    });
    try {
      await new Promise((done, fail) => {
        child.on('close', () => fail(new Error('it ended')));
        child.stdout.on('data', (chunk) => {
          told.push(...changesOf(linesOf(String(chunk))));
          if (told.length === 1) void offer('o-9');
          if (told.includes('added o-9')) done(null);
        });
      });
    } finally {
      child.kill('SIGTERM');
    }
    assert.equal(await stopped, 0);
    assert.deepEqual(told, ['added o-1', 'added o-9']);
    await client.act(operator, 'cancelWorkOrder', { orderId: 'o-9' });
  });
});

describe('a program that it runs', () => {
  const program = (home, body) => {
    const path = join(home, 'program.sh');
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    return path;
  };

  test('finds the facts in its environment, and no shell reads them', async () => {
    const home = join(directory, 'exec');
    const path = program(
      home,
      'printf "%s|%s|%s|%s\\n" "$1" "$NET_JOB_CHANGE" "$NET_JOB_ID" "$NET_JOB_TITLE" >> told',
    );
    const args = ['--genesis', genesisHash, '--once', '--exec', path, '--', 'a; b'];
    assert.equal((await run(args, { home })).code, 0);
    assert.equal((await run(args, { home })).code, 0);
    assert.equal(fs.readFileSync(join(home, 'told'), 'utf8'), `a; b|added|o-1|${TITLE}\n`);
    assert.ok(!fs.existsSync(join(home, 'hacked')));
  });

  test('is run again for what it failed at', async () => {
    const home = join(directory, 'failing');
    const path = program(home, 'echo x >> tries; [ $(wc -l < tries) -ge 2 ]');
    const args = ['--genesis', genesisHash, '--once', '--exec', path];
    const first = await run(args, { home });
    assert.equal(first.code, 1);
    assert.match(first.stderr, /ended with 1 for o-1/);
    assert.equal((await run(args, { home })).code, 0);
    assert.equal((await run(args, { home })).code, 0);
    assert.equal(fs.readFileSync(join(home, 'tries'), 'utf8'), 'x\nx\n');
  });

  test('that is not there is said', async () => {
    const { code, stderr } = await run(['--once', '--exec', '/nowhere/program']);
    assert.equal(code, 1);
    assert.match(stderr, /ENOENT/);
  });
});

/** The index anew, with the hash that belongs to it: a liar can hash, too. */
const rehashed = (index) => {
  const { opportunityIndexHash: _, ...evidence } = index.evidence;
  const opportunityIndexHash = hashWithout({ ...index, evidence }, 'opportunityIndexHash');
  return { ...index, opportunityIndexHash, evidence: { ...evidence, opportunityIndexHash } };
};
const INDEX = '/v1/agent-opportunities';
const editJob = (members) => (index) =>
  rehashed({ ...index, opportunities: index.opportunities.map((job) => ({ ...job, ...members })) });
const editVote = (members) => (certificate) => ({
  ...certificate,
  votes: certificate.votes.map((vote) => ({ ...vote, ...members })),
});
const other = createHash('sha256').update('other').digest('hex');

/** Lies of a node: the path, and the change of its answer. */
const LIES = {
  'a title without its hash': [
    INDEX,
    (index) => ({ ...index, opportunities: [{ ...index.opportunities[0], title: 'x' }] }),
  ],
  'a title with its hash': [INDEX, editJob({ title: 'another' })],
  'more funding': [INDEX, editJob({ funding: 9_000_000 })],
  'another scope': [INDEX, editJob({ scopeHash: other })],
  'a job that does not exist': [INDEX, editJob({ orderId: 'o-none' })],
  'a job that is no object': [INDEX, (index) => rehashed({ ...index, opportunities: [7] })],
  'another chain': [INDEX, (index) => rehashed({ ...index, chainId: 'net-other-1' })],
  'another height': [INDEX, (index) => rehashed({ ...index, height: index.height + 1 })],
  'another state root': [
    INDEX,
    (index) => rehashed({ ...index, snapshot: { ...index.snapshot, stateRoot: other } }),
  ],
  'no certificate': [
    INDEX,
    (index) => rehashed({ ...index, snapshot: { ...index.snapshot, certificateHash: '../x' } }),
  ],
  'a certificate of another block': [
    '/v1/consensus/certificates/',
    (certificate) => ({ ...certificate, blockHash: other }),
  ],
  'a certificate with another signature': [
    '/v1/consensus/certificates/',
    editVote({ signature: Buffer.alloc(64).toString('base64') }),
  ],
  'a certificate without votes': [
    '/v1/consensus/certificates/',
    (certificate) => ({ ...certificate, votes: [] }),
  ],
  // packages/cli/src/testnet.slow.test.ts has the lies about CometBFT's certificates.
  'a certificate of another scheme': [
    '/v1/consensus/certificates/',
    (certificate) => ({ ...certificate, scheme: 'cometbft-commit-v0.38' }),
  ],
  'a certificate with a vote twice': [
    '/v1/consensus/certificates/',
    (certificate) => ({ ...certificate, votes: [...certificate.votes, ...certificate.votes] }),
  ],
  'another genesis': ['/v1/genesis', (genesis) => ({ ...genesis, epoch: genesis.epoch + 1 })],
  'an order with other terms': [
    '/v1/state/proof',
    (proof) => ({ ...proof, value: { ...proof.value, funding: 1 } }),
  ],
  'an order that is not there': [
    '/v1/state/proof',
    (proof) => ({ ...proof, leaf: { kind: 'empty' } }),
  ],
  'a path cut short': [
    '/v1/state/proof',
    (proof) => ({ ...proof, siblings: proof.siblings.slice(1) }),
  ],
  'the proof of another key': ['/v1/state/proof', (proof) => ({ ...proof, key: 'order/o-9' })],
};

describe('a node that lies', () => {
  const lies = Object.entries(LIES);
  for (const [name, [path, alter]] of plays(lies.slice(0, 5), lies)) {
    test(`about ${name} is not believed`, async () => {
      let told = false;
      proxy.tamper = (asked, document) => {
        if (!asked.startsWith(path)) return document;
        told = true;
        return alter(document);
      };
      const { code, stdout, stderr, home } = await run(trusted(), { url: proxy.url });
      assert.ok(told, 'the lie was never told');
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^net-opportunity-watch: \S/);
      assert.ok(!fs.existsSync(join(home, '.netd')), 'and nothing is kept of it');
    });
  }

  test('without a lie is believed through the same proxy', async () => {
    proxy.tamper = (_path, document) => document;
    const { code, facts } = await run(trusted(), { url: proxy.url });
    assert.equal(code, 0);
    assert.deepEqual(changesOf(facts), ['added o-1']);
  });

  test('that hides a known job, or goes back, is caught', async () => {
    const { chain } = running.node;
    let [height, home, hidden] = [-1];
    // A job that is proven in a later block than the index is of may have come back meanwhile.
    while (height !== chain.height) {
      height = chain.height;
      proxy.tamper = (_path, document) => document;
      ({ home } = await run(trusted(), { url: proxy.url }));
      proxy.tamper = (path, document) =>
        path.startsWith(INDEX) ? rehashed({ ...document, opportunities: [] }) : document;
      hidden = await run(trusted(), { url: proxy.url, home });
    }
    assert.equal(hidden.code, 1);
    assert.match(hidden.stderr, /is open, and the index does not list it/);
    const cursor = join(home, `.netd/watch/${running.node.dataDir.genesis.chainId}.json`);
    const kept = JSON.parse(fs.readFileSync(cursor, 'utf8'));
    fs.writeFileSync(cursor, JSON.stringify({ ...kept, height: kept.height + 1_000 }));
    proxy.tamper = (_path, document) => document;
    const old = await run(trusted(), { url: proxy.url, home });
    assert.equal(old.code, 1);
    assert.match(old.stderr, /there was one of \d+ already/);
  });
});

test('reports wrong arguments with status 2', async () => {
  for (const args of [
    ['--genesis', 'x'],
    ['--interval', '0'],
    ['stray'],
    ['--nonsense'],
    ['--url', 'x'],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /Try --help/);
  }
});
