/** A laboratory forked from a running network: how it describes itself, and what it inherits. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEVNET_POLICY } from '@netd/ledger';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { beaconOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { verifyDataDir } from './verify.ts';

describe('a fork of a network', () => {
  let origin: HttpNode;
  let fork: HttpNode;
  let forkedAt: { height: number; stateRoot: string };

  before(async () => {
    origin = await HttpNode.start();
    await origin.join('alice');
    await origin.join('bob');
    await origin.act('operator', 'transfer', { to: 'alice', amount: 100 });
    const beacon = beaconOf('alice', origin.height);
    const spent = origin.intent('alice', 'publishBeacon', beacon, { nonce: 'spent' });
    assert.equal((await origin.post('/v1/intents', spent)).status, 201);
    forkedAt = origin.state();
    fork = await HttpNode.start({
      chainId: 'net-fork',
      laboratory: true,
      forkFrom: { url: origin.url },
    });
  });
  after(async () => {
    await fork.stop();
    await origin.stop();
  });

  test('says which block of which chain it goes on from, wherever a network is named', async () => {
    const genesisHash = (await origin.document('/v1/network'))['genesisHash'];
    const point = (await fork.document('/v1/genesis'))['fork'] as JsonObject;
    const { height, stateRoot } = forkedAt;
    assert.deepEqual(
      { ...point, blockHash: '' },
      { chainId: origin.chainId, genesisHash, height, blockHash: '', stateRoot },
    );
    const network = await fork.document('/v1/network');
    assert.deepEqual(network['fork'], point);
    assert.equal(network['laboratory'], true);
    assert.deepEqual((await fork.document('/health'))['fork'], point);
    const manifest = await fork.document('/v1/manifest');
    assert.deepEqual((manifest['network'] as JsonObject)['fork'], point);
    const proof = await fork.document('/v1/state/proof?key=chain/identity');
    assert.deepEqual((proof['value'] as JsonObject)['fork'], point);
    assert.equal((await origin.document('/v1/network'))['fork'], undefined);
  });

  test('begins with the next block, and names the chain that has the earlier ones', async () => {
    const first = await fork.document(`/v1/blocks/${forkedAt.height + 1}`);
    const { previousBlockHash } = first['header'] as JsonObject;
    const last = await origin.document(`/v1/blocks/${forkedAt.height}`);
    assert.equal(previousBlockHash, last['blockHash']);
    const problem = assertProblem(
      await fork.get(`/v1/blocks/${forkedAt.height}`),
      404,
      'BLOCK_NOT_FOUND',
    );
    assert.match(problem.detail, new RegExp(`fork of ${origin.chainId} and begins with block`));
    const list = await fork.document('/v1/blocks');
    assert.equal((list['blocks'] as unknown[]).length, list['total']);
    assert.equal(list['nextCursor'], null);
    assert.equal((list['verification'] as JsonObject)['valid'], true);
  });

  test('counts nothing that was signed for its origin, and nothing that names no chain', async () => {
    const { chainId } = origin;
    const beacon = beaconOf('alice', fork.height, { sequence: 2 });
    const named = await fork.post(
      '/v1/intents',
      fork.intent('alice', 'publishBeacon', beacon, { chainId, nonce: 'a' }),
    );
    assertProblem(named, 409, 'CHAIN_ID_MISMATCH');
    const unnamed = fork.intent('alice', 'publishBeacon', beacon, {
      chainId: undefined,
      nonce: 'b',
    });
    const problem = assertProblem(
      await fork.post('/v1/intents', unnamed),
      409,
      'CHAIN_ID_MISMATCH',
    );
    assert.match(problem.errors?.[0]?.message ?? '', /signed envelopes must name it/);
    // The origin accepts the same envelope.
    assert.equal((await origin.post('/v1/intents', unnamed)).status, 201);
    const back = fork.intent('alice', 'publishBeacon', beacon, { nonce: 'c' });
    assertProblem(await origin.post('/v1/intents', back), 409, 'CHAIN_ID_MISMATCH');
    assert.equal((await fork.post('/v1/intents', back)).status, 201);
    // A nonce spent before the fork is spent here, too.
    const spent = fork.intent('alice', 'publishBeacon', beacon, { nonce: 'spent' });
    assertProblem(await fork.post('/v1/intents', spent), 409, 'NONCE_REPLAYED');
  });

  test('obeys, registers newcomers, and lets its operator act', async () => {
    await fork.join('zoe', { nonce: 'zoe' });
    const payment = { to: 'zoe', amount: 5 };
    const paid = fork.intent('operator', 'transfer', payment, { nonce: 'paid' });
    assert.equal((await fork.post('/v1/intents', paid)).status, 201);
    assert.equal((await fork.document('/v1/accounts/zoe'))['balance'], 5);
    const { height } = fork;
    assert.equal((await fork.post('/v1/lab/mine', { blocks: 3 })).status, 200);
    assert.equal(fork.height, height + 3);
  });

  test('goes back to its own snapshots, and to no block of its origin', async () => {
    const { body } = await fork.post('/v1/lab/snapshot', {});
    const [kept] = (body['snapshots'] as JsonObject[]).slice(-1);
    await fork.post('/v1/lab/mine', { blocks: 2 });
    assert.equal((await fork.post('/v1/lab/revert', { id: kept?.['id'] as string })).status, 200);
    assert.equal(fork.height, kept?.['height']);
    const elsewhere = await fork.post('/v1/lab/revert', { id: 'before-the-fork' });
    assertProblem(elsewhere, 404, 'LAB_SNAPSHOT_UNKNOWN');
  });
});

test('a fork crosses to the rules that its origin scheduled, and a replay has the same root at each height', async (t) => {
  const dataDir = tempDir(t);
  const timelock = { heights: 2, milliseconds: 1 };
  const policy = { governance: { ...DEVNET_POLICY.governance, timelock } };
  const { chainId } = makeFastDevnet(dataDir, { policy, rules: 1 });
  const origin = await HttpNode.start({ dataDir, chainId });
  t.after(() => origin.stop());
  const height = origin.height + 6;
  const schedule = { version: 2, height, artifactHash: hashOfDigit('a') };
  await origin.act('operator', 'scheduleRules', schedule);
  const forkAt = async (id: string): Promise<HttpNode> => {
    const forkFrom = { url: origin.url };
    const fork = await HttpNode.start({ chainId: id, laboratory: true, forkFrom });
    t.after(() => fork.stop());
    return fork;
  };
  const versionAt = async (node: HttpNode): Promise<number> =>
    ((await node.document('/v1/network'))['rules'] as { version: number }).version;
  const verified = async (fork: HttpNode): Promise<void> => {
    const report = await verifyDataDir(fork.dataDir, {});
    assert.deepEqual([report.height, report.fault], [fork.height, null]);
  };

  const early = await forkAt('net-early');
  assert.equal((await early.post('/v1/lab/mine', { blocks: 8 })).status, 200);
  assert.deepEqual([await versionAt(origin), await versionAt(early)], [1, 2]);
  await verified(early);

  while (origin.height < height) await origin.act('operator', 'fundRewardPool', { amount: 1 });
  const late = await forkAt('net-late');
  assert.equal((await late.post('/v1/lab/mine', { blocks: 2 })).status, 200);
  assert.equal(await versionAt(late), 2);
  await verified(late);
});
