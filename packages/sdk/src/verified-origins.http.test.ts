/** Proven reads from several origins: a writer, followers of it, and proxies before them that lie, lag or hang up. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { serve, serveFollower, type RunningNode } from '@netd/node';
import { until } from '@netd/protocol/testing';
import { TamperingProxy, type Tamper } from '@netd/testkit/tampering-proxy';
import { AgentKey } from './agent-key.ts';
import { NetClient, type Actor } from './client.ts';
import { VerifiedOrigins, type OriginStatus } from './verified-origins.ts';
import { StaleStateError, VerificationError, type Anchor } from './verified-reader.ts';

const NOBODY = 'http://127.0.0.1:1';
const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-origins-'));
const alice: Actor = { actorId: 'alice', key: await AgentKey.generate() };
let writer: RunningNode;
let follower: Awaited<ReturnType<typeof serveFollower>>;
let anchor: Anchor;

before(async () => {
  const host = { host: '127.0.0.1', port: 0 };
  writer = await serve({ ...host, dataDir: join(directory, 'writer'), blockTime: 1 });
  const client = new NetClient({ url: writer.url });
  await client.register(alice, { description: 'of before' });
  anchor = { genesisHash: (await client.network()).genesisHash };
  const dataDir = join(directory, 'follower');
  follower = await serveFollower({
    ...host,
    dataDir,
    origins: [writer.url],
    originTimeout: 60_000,
  });
  // A reader without a memory believes what a follower proves, also from before alice.
  await until(() => follower.node.chain.height >= writer.node.chain.height);
});
after(async () => {
  await follower.stop();
  await writer.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function liar(t: TestContext, tamper: Tamper, url = writer.url): Promise<string> {
  const proxy = await TamperingProxy.before(url);
  proxy.tamper = tamper;
  t.after(() => proxy.close());
  return proxy.url;
}

const statusOf = ({ origins }: VerifiedOrigins, url: string): OriginStatus | undefined =>
  origins.find(({ origin }) => origin === url);

/** Proofs that were true once: the account as it was when it was asked for first. */
function frozen(): Tamper {
  const seen = new Map<string, unknown>();
  return (path, document) => {
    if (!path.startsWith('/v1/state/proof') && !path.startsWith('/v1/network')) return document;
    if (!seen.has(path)) seen.set(path, document);
    return seen.get(path);
  };
}

test('writes reach the writer by the word of a follower, and reads never go back', async (t) => {
  const old = await liar(t, frozen());
  const first = new VerifiedOrigins([old], anchor);
  const { height: earlier } = await first.readState('account/alice');
  // Both of the list take no writes: one is a follower, the other is not there.
  const origins = new VerifiedOrigins([follower.url, NOBODY], anchor);
  const actions = ['faucet' as const];
  const extended = await origins.act(alice, 'extendAgentCapabilities', {
    agentId: 'alice',
    actions,
  });
  assert.ok(extended.height > earlier);
  const { height } = await origins.act(alice, 'faucet', { amount: 1_000_000 });
  // The follower may not be there yet, and says so rather than an older state.
  let away = false;
  const honest = await liar(t, (_path, document) => (away ? null : document));
  const all = new VerifiedOrigins([old, honest], anchor);
  const { value, verdict, ...state } = await all.readState('account/alice', { minHeight: height });
  assert.equal((value as { balance: number }).balance, 1_000_000);
  assert.equal(verdict, 'trusted');
  assert.ok(state.height >= height && all.height >= height);
  // A height proven by one origin binds the others, even the last one left.
  away = true;
  await assert.rejects(all.readState('account/alice'), StaleStateError);
  const alone = new VerifiedOrigins([old], anchor);
  await assert.rejects(alone.readState('account/alice', { minHeight: height }), StaleStateError);
  assert.equal(statusOf(alone, old)?.fault, null, 'what was true once is no lie');
});

test('a lying origin is named and banned with its answers, and not asked again', async (t) => {
  let asked = 0;
  const url = await liar(t, (path, document) => {
    if (!path.startsWith('/v1/state/proof')) return document;
    asked++;
    return {
      ...document,
      value: { ...(document['value'] as unknown as object), description: 'forged' },
    };
  });
  const origins = new VerifiedOrigins([url, writer.url], anchor);
  for (let i = 0; i < 3; i++) {
    const { value } = await origins.readState('agent/alice');
    assert.equal((value as { description: string }).description, 'of before');
  }
  assert.ok(asked <= 1);
  // However near it is.
  const alone = new VerifiedOrigins([url], anchor);
  await assert.rejects(alone.readState('agent/alice'), (error: unknown) => {
    assert.ok(error instanceof VerificationError && !(error instanceof StaleStateError));
    return error.message.includes(url) && error.message.includes('the state proof fails');
  });
  const { state, fault } = statusOf(alone, url)!;
  assert.equal(state, 'banned');
  const told = fault!.answers.at(-1)!;
  assert.equal(told.path, '/v1/state/proof');
  const { value } = told.document as { value?: { description: string } };
  assert.equal(value?.description, 'forged');
  await assert.rejects(alone.readState('agent/alice'), VerificationError);
});

test('an unreachable or garbling origin backs off, and is asked again later', async (t) => {
  let broken = true;
  const url = await liar(t, (_path, document) => (broken ? null : document));
  const garbling = await liar(t, () => '{"schema"');
  const origins = new VerifiedOrigins([NOBODY, url, garbling, follower.url], anchor);
  assert.ok((await origins.readState('agent/alice')).present);
  for (const one of [NOBODY, url, garbling]) assert.equal(statusOf(origins, one)?.state, 'backoff');
  broken = false;
  const only = new VerifiedOrigins([url, NOBODY], anchor);
  assert.ok((await only.readState('agent/alice')).present);
  assert.equal(statusOf(only, url)?.state, 'good');
  const nobody = new VerifiedOrigins([NOBODY], anchor);
  await assert.rejects(nobody.readState('agent/alice'), { code: 'UNREACHABLE' });
});

test('an origin beyond maxLag is asked last, and an inflated height gains nothing', async (t) => {
  const said =
    (by: number): Tamper =>
    (path, document) =>
      path === '/v1/network'
        ? { ...document, height: Math.max(0, Number(document['height']) + by) }
        : document;
  const behind = await liar(t, said(-1_000_000));
  const boasting = await liar(t, said(1_000_000));
  const slow = new VerifiedOrigins([behind, writer.url], anchor, { maxLag: 0 });
  await slow.readState('agent/alice');
  assert.deepEqual(
    slow.origins.map(({ origin, state }) => [origin, state]),
    [
      [writer.url, 'good'],
      [behind, 'behind'],
    ],
  );
  const origins = new VerifiedOrigins([boasting, writer.url], anchor, { maxLag: 0 });
  assert.ok((await origins.readState('agent/alice')).present);
  assert.ok(origins.height < 1_000_000, 'what is said is not what is proven');
});

test('one of another chain is dropped, and nothing is signed for it', async (t) => {
  const dataDir = join(directory, 'other');
  const other = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  t.after(() => other.stop());
  const origins = new VerifiedOrigins([other.url, writer.url], anchor);
  await origins.readState('agent/alice');
  await assert.rejects(new VerifiedOrigins([other.url], anchor).readState('agent/alice'), {
    message: /the genesis of the node is not the trusted one/,
  });
  // A node that names another chain gets an intent for the right one, which it refuses.
  const naming = await liar(t, (path, document) =>
    path === '/v1/network' ? { ...document, chainId: 'net-other' } : document,
  );
  let chainId: unknown;
  await new VerifiedOrigins([naming], anchor).write(async (client) => {
    const signed = client as unknown as { tip: { now: () => Promise<{ chainId: string }> } };
    ({ chainId } = await signed.tip.now());
  });
  assert.equal(chainId, writer.node.dataDir.genesis.chainId);
});

test('what every origin refuses is refused, and no origin is none', async () => {
  const origins = new VerifiedOrigins([writer.url, follower.url, `${writer.url}/`], anchor);
  assert.equal(origins.origins.length, 2);
  await assert.rejects(origins.readTransition('ab'.repeat(32)), { status: 404 });
  assert.throws(() => new VerifiedOrigins([], anchor), RangeError);
});
