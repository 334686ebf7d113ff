/**
 * `netd testnet` as a person runs it, and with a validator that dies. A watcher checks its work, and is lied
 * to.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { verifyDatabase } from '@netd/node/verify';
import type { CommitCertificate, CommitVote } from '@netd/protocol';
import { plays, until } from '@netd/protocol/testing';
import { AgentKey, type DocumentOf, NetClient, VerifiedReader } from '@netd/sdk';
import { freePort } from '@netd/testkit/free-port';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { Command } from './testing/command.ts';

const TESTNET = ['testnet', '--port', '0', '--dir', 'net'];

interface Facts {
  chainId: string;
  validators: { validatorId: string; dataDir: string; pid: number; url: string }[];
}

/** Resolves once the facts satisfy the condition. */
async function factsOf(
  command: Command,
  home: string,
  isIt: (facts: Facts) => boolean,
): Promise<Facts> {
  for (;;) {
    try {
      const facts = JSON.parse(readFileSync(join(home, 'net/dev.json'), 'utf8')) as Facts;
      if (isIt(facts)) return facts;
    } catch {
      // The file is not written yet.
    }
    if (command.child.exitCode !== null) throw new Error(command.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const areUp = ({ validators }: Facts): boolean => validators.every(({ url }) => url !== null);

test(
  'four validators are one chain, and a killed one comes back',
  { timeout: 1_500_000 },
  async (t) => {
    try {
      await requireCometbft(cometbftPath(defaultEngineDir()));
    } catch (error) {
      t.skip((error as Error).message);
      return;
    }
    const home = mkdtempSync(join(tmpdir(), 'netd-testnet-'));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const first = new Command(TESTNET, home, undefined, {
      NET_ENGINE_DIR: defaultEngineDir(),
    });
    t.after(() => first.child.kill('SIGKILL'));
    const facts = await factsOf(first, home, areUp);
    assert.equal(facts.validators.length, 4);
    // A second start in the folder is refused and does no harm.
    const { code, stderr } = await new Command(TESTNET, home, undefined, {
      NET_ENGINE_DIR: defaultEngineDir(),
    }).ended;
    assert.notEqual(code, 0);
    assert.match(stderr, /another netd .* is running on .*net; stop it first/);
    assert.ok((await factsOf(first, home, areUp)).validators);
    const clients = facts.validators.map(({ url }) => new NetClient({ url }));
    const [a, b] = clients as [NetClient, NetClient];
    const key = await AgentKey.generate();
    await a.register({ actorId: 'ada', key });
    assert.equal((await a.network()).mode, 'BFT_DEVNET');

    // A client that pins genesis accepts the signatures of three of four.
    const { genesisHash } = await a.network();
    const { height } = await new VerifiedReader(a, { genesisHash }).readState('agent/ada');
    assert.ok(height >= 1);

    const fallen = facts.validators[3];
    assert.ok(fallen);
    process.kill(fallen.pid, 'SIGKILL');
    await b.register({ actorId: 'bob', key: await AgentKey.generate() });
    // The answer names the three that signed.
    const { finality } = await b.network();
    const seen = finality.votes.map((each) => [each.validatorId, each.votingPower, each.signed]);
    assert.deepEqual(
      seen,
      [1, 2, 3, 4].map((index) => [`validator-${index}`, 1_000, index !== 4]),
    );
    const again = await factsOf(
      first,
      home,
      ({ validators }) => validators[3]?.url !== null && validators[3]?.pid !== fallen.pid,
    );
    const back = new NetClient({ url: again.validators[3]?.url ?? '' });
    await back.register({ actorId: 'cyd', key: await AgentKey.generate() });
    // The house started, and every validator serves it.
    for (;;) {
      const { total } = await back.read('/v1/agents');
      if ((total ?? 0) > 8) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const stopped = again.validators[3]?.pid ?? assert.fail();
    process.kill(stopped, 'SIGSTOP');
    try {
      await watchesThrough(a.url, { genesisHash, home });
      await namesTheOneThatIsDown(a);
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
    await until(async () => (await a.read('/health')).status === 'ok');

    // The same key in another place does not sign, because its record is not there.
    const twin = join(home, 'twin');
    mkdirSync(join(twin, 'keys'), { recursive: true });
    cpSync(join(fallen.dataDir, 'keys/validator.json'), join(twin, 'keys/validator.json'));
    const genesis = join(fallen.dataDir, 'genesis.json');
    const place = ['--data-dir', twin, '--port', '0', '--p2p', `127.0.0.1:${await freePort()}`];
    const second = new Command(['start', ...place, '--genesis', genesis], home, undefined, {
      NET_ENGINE_DIR: defaultEngineDir(),
    });
    t.after(() => second.child.kill('SIGKILL'));
    const refusal = await second.ended;
    assert.notEqual(refusal.code, 0);
    assert.match(refusal.stderr, /is here without its record/);
    assert.ok(!existsSync(join(twin, 'cometbft/data')));
    const { height: last } = await back.network();
    first.child.kill('SIGINT');
    assert.equal((await first.ended).code, 0);
    for (const { dataDir } of facts.validators) {
      const report = await verifyDatabase(join(dataDir, 'chain'), { genesisHash });
      assert.equal(report.fault, null);
      assert.ok(report.height >= last - 1);
    }
  },
);

/** Asserts what an operator sees of validator-4, which has stopped, and that the dashboard's figures are there. */
async function namesTheOneThatIsDown(client: NetClient): Promise<void> {
  const health = (): Promise<DocumentOf<'/health'>> => client.read('/health');
  await until(async () => (await health()).faults.length === 2);
  const { faults, validators } = await health();
  assert.match(faults[0]!, /^the validator validator-4 has not voted since \d{4}-/);
  assert.match(faults[1]!, /^3 of 4 validators vote, and if one more/);
  assert.deepEqual(
    validators!.validators.flatMap(({ validatorId, isDown }) => (isDown ? [validatorId] : [])),
    ['validator-4'],
  );
  const text = await (await fetch(`${client.url}/metrics`)).text();
  const monitoring = '../../../handouts/operator-handoff/monitoring/dashboard-validators.json';
  const asked = readFileSync(new URL(monitoring, import.meta.url), 'utf8');
  const names = new Set(
    [...asked.matchAll(/\b(?:netd|cometbft)_[a-z0-9_]+/g)].map(([name]) => name),
  );
  assert.ok(names.size > 10, 'the dashboard names figures');
  const told = (name: string): boolean => new RegExp(`^${name}[ {]`, 'm').test(text);
  const neverDone = /^netd_last_(backup|verify)_timestamp_seconds$/;
  assert.deepEqual(
    [...names].filter((name) => !told(name) && !neverDone.test(name)),
    [],
  );
  assert.match(text, /^netd_validator_down\{validator="validator-4"\} 1$/m);
}

const WATCH = fileURLToPath(
  new URL('../../../clients/join/net-opportunity-watch.mjs', import.meta.url),
);

/** False certificates that a node may serve. One bad vote of four is no lie, because three are a quorum. */
const LIES: Record<string, (certificate: CommitCertificate) => object> = {
  'votes that are not signed': (certificate) =>
    withVotes(certificate, () => ({ signature: `${'A'.repeat(86)}==` })),
  'votes of another time': (certificate) =>
    withVotes(certificate, ({ timestamp }) => ({
      timestamp: timestamp.replace(/^\d{4}/, '2020'),
    })),
  'a vote that counts thrice': ({ votes: [one], ...certificate }) => ({
    ...certificate,
    votes: [one, one, one],
  }),
  'two votes': ({ votes, ...certificate }) => ({ ...certificate, votes: votes.slice(0, 2) }),
  'another header': (certificate) => withHeader(certificate, { dataHash: 'ab'.repeat(32) }),
  'the header of another certificate': (certificate) =>
    withHeader(certificate, { appHash: 'ab'.repeat(32) }),
  'a header of other validators': (certificate) =>
    withHeader(certificate, { validatorsHash: 'ab'.repeat(32) }),
  'a header of another chain': (certificate) => withHeader(certificate, { chainId: 'net-other-1' }),
  'no header': ({ commit: _, ...certificate }) => certificate,
};

const withVotes = (
  certificate: CommitCertificate,
  edit: (vote: CommitVote) => Partial<CommitVote>,
): object => ({
  ...certificate,
  votes: certificate.votes.map((vote) => ({ ...vote, ...edit(vote) })),
});
const withHeader = (
  { commit, ...certificate }: CommitCertificate,
  members: Partial<CommitCertificate['commit']['header']>,
): object => ({
  ...certificate,
  commit: { ...commit, header: { ...commit.header, ...members } },
});

/** Asserts that the watcher accepts the certificates of four validators, and rejects altered ones. */
async function watchesThrough(
  url: string,
  { genesisHash, home }: { genesisHash: string; home: string },
): Promise<void> {
  const proxy = await TamperingProxy.before(url);
  const look = async (): Promise<{ code: number | string; stderr: string }> => {
    const options = ['--url', proxy.url, '--genesis', genesisHash];
    const cursor = join(home, 'cursor.json');
    try {
      const { stderr } = await promisify(execFile)(process.execPath, [
        WATCH,
        '--once',
        '--json',
        '--cursor',
        cursor,
        ...options,
      ]);
      return { code: 0, stderr };
    } catch (error) {
      return error as { code: number; stderr: string };
    }
  };
  try {
    assert.deepEqual(await look(), { code: 0, stderr: '' });
    for (const [lie, alter] of plays(Object.entries(LIES).slice(0, 2), Object.entries(LIES))) {
      let told = false;
      proxy.tamper = (path, document) => {
        if (!path.startsWith('/v1/consensus/certificates/')) return document;
        told = true;
        return alter(document as unknown as CommitCertificate);
      };
      const { code, stderr } = await look();
      assert.ok(told, lie);
      assert.equal(code, 1, `${lie}: ${stderr}`);
    }
  } finally {
    proxy.close();
  }
}
