/** The chunks that a node accepts of a CometBFT snapshot, and the senders that it rejects. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Store, type BlockHistory } from '@netd/engine';
import {
  ResponseApplySnapshotChunk_Result as Applied,
  ResponseOfferSnapshot_Result as Offered,
} from '@netd/engine/cometbft';
import {
  canonicalize,
  COMMIT_SCHEME,
  hexToBytes,
  makeCheckpoint,
  makeCommitCertificate,
  makeValidatorSet,
  sha256Hex,
  utf8Bytes,
  type CometbftHeader,
  type StateCheckpoint,
} from '@netd/protocol';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { SnapshotReceiver, type ReceiverOptions } from './snapshot-receiver.ts';

const ENGINE_HEIGHT = 77;
const NO_PARTS = { total: 0, hash: '' };

/** A CometBFT header that states a block at the height after `ENGINE_HEIGHT`. */
const stating = (chainId: string, appHash: string): CometbftHeader => ({
  version: { block: 11, app: 1 },
  chainId,
  height: ENGINE_HEIGHT + 1,
  time: '2026-01-01T00:00:00Z',
  lastBlockId: { hash: '', parts: NO_PARTS },
  lastCommitHash: '',
  dataHash: '',
  validatorsHash: '',
  nextValidatorsHash: '',
  consensusHash: '',
  appHash,
  lastResultsHash: '',
  evidenceHash: '',
  proposerAddress: '',
});

interface Offer {
  checkpoint: StateCheckpoint;
  blocks: BlockHistory[];
  chunks: Buffer[];
  genesis: ReceiverOptions['genesis'];
}

/** A state of some chunks, whose block has a certificate of several validators. */
async function offer(t: TestContext): Promise<Offer> {
  const node = await HttpNode.start();
  t.after(() => node.stop());
  const description = 'd'.repeat(280);
  const names = Array.from({ length: 300 }, (_, index) => `agent-${index}`);
  await Promise.all(names.map((name) => node.join(name, { description })));
  const { running } = node;
  const { checkpoints, store, dataDir } = running.node;
  const told = await checkpoints.latest();
  assert.ok(told && told.chunkCount > 1, 'a state of several chunks');
  const { genesis } = dataDir;
  const snapshot = store.snapshot();
  const { header } = snapshot.block;
  snapshot.close();
  const set = makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators);
  const statement = {
    chainId: header.chainId,
    epoch: header.epoch,
    height: header.height,
    blockHash: told.blockHash,
    stateRoot: header.stateRoot,
    validatorSetHash: header.validatorSetHash,
  };
  const commit = { header: stating(header.chainId, ''), round: 0, parts: NO_PARTS };
  const draft = makeCommitCertificate(statement, set, { commit, votes: [] });
  commit.header.appHash = draft.certificateHash;
  const certificate = makeCommitCertificate(statement, set, { commit, votes: [] });
  assert.equal(certificate.scheme, COMMIT_SCHEME);
  const { chainId, height, stateRoot, blockHash, byteLength, chunkHashes } = told;
  const checkpoint = makeCheckpoint(
    { chainId, height, stateRoot, blockHash, certificateHash: certificate.certificateHash },
    byteLength,
    chunkHashes,
  );
  const folder = join(dataDir.checkpointsPath, told.checkpointHash);
  const chunks = chunkHashes.map((_, index) => readFileSync(join(folder, `chunk-${index}`)));
  // The receiver does not check the lists, because the fetch of the block did.
  const lists = { transitions: [], events: [], transitionSubtrees: [], eventSubtrees: [] };
  return { checkpoint, blocks: [{ header, certificate, ...lists }], chunks, genesis };
}

function receiver(t: TestContext, { blocks, genesis }: Offer, room = true) {
  const draftPath = tempDir(t);
  const rejected: (string | null)[] = [];
  const made = new SnapshotReceiver({
    genesis,
    draftPath,
    source: 'http://a.example',
    blocksOf: () => Promise.resolve(blocks.length === 0 ? null : blocks),
    hasRoom: () => room,
    onProgress: () => {},
    onReject: (peer) => rejected.push(peer),
  });
  return { made, database: join(draftPath, 'chain'), rejected };
}

const snapshotOf = (checkpoint: StateCheckpoint, members: object = {}) => ({
  $typeName: 'tendermint.abci.Snapshot' as const,
  height: BigInt(ENGINE_HEIGHT),
  format: 1,
  chunks: checkpoint.chunkCount,
  hash: hexToBytes(checkpoint.checkpointHash),
  metadata: utf8Bytes(canonicalize(checkpoint)),
  ...members,
});

test('a snapshot becomes a database, and nothing that is not certified does', async (t) => {
  const it = await offer(t);
  const { checkpoint, chunks } = it;
  const appHash = hexToBytes(checkpoint.certificateHash);
  const snapshot = snapshotOf(checkpoint);

  await t.test('offers that lie, or cannot be had', async () => {
    const { made, rejected } = receiver(t, it);
    const { checkpointHash: _, ...told } = checkpoint;
    const other = makeCheckpoint({ ...told, blockHash: 'b'.repeat(64) }, told.byteLength, [
      ...told.chunkHashes,
    ]);
    for (const [result, given, hash] of [
      [Offered.REJECT_FORMAT, snapshotOf(checkpoint, { format: 2 }), appHash],
      [Offered.REJECT_SENDER, snapshotOf(checkpoint, { metadata: utf8Bytes('{}') }), appHash],
      [Offered.REJECT_SENDER, snapshotOf(checkpoint, { chunks: 1 }), appHash],
      [Offered.REJECT_SENDER, snapshotOf(checkpoint, { hash: appHash }), appHash],
      [Offered.REJECT_SENDER, snapshotOf(checkpoint, { height: 78n }), appHash],
      [Offered.REJECT_SENDER, snapshot, hexToBytes('0'.repeat(64))],
      [Offered.ACCEPT, snapshotOf(other), appHash],
    ] as const) {
      assert.deepEqual(await made.offerSnapshot({ snapshot: given, appHash: hash }), { result });
    }
    assert.equal(rejected.length, 5, 'a format says nothing about who has it');
    const full = receiver(t, it, false);
    assert.deepEqual(await full.made.offerSnapshot({ snapshot, appHash }), {
      result: Offered.REJECT,
    });
    const alone = receiver(t, { ...it, blocks: [] });
    assert.deepEqual(await alone.made.offerSnapshot({ snapshot, appHash }), {
      result: Offered.REJECT,
    });
    assert.deepEqual(
      await alone.made.applySnapshotChunk({ index: 0, chunk: new Uint8Array(), sender: 'x' }),
      { result: Applied.ABORT },
    );
  });

  await t.test('a corrupt chunk is fetched again from another', async () => {
    const { made, database, rejected } = receiver(t, it);
    assert.deepEqual(await made.offerSnapshot({ snapshot, appHash }), { result: Offered.ACCEPT });
    const corrupt = Buffer.from(chunks[0] ?? []);
    corrupt[100] = (corrupt[100] ?? 0) ^ 1;
    assert.deepEqual(
      await made.applySnapshotChunk({ index: 0, chunk: corrupt, sender: 'mallory' }),
      { result: Applied.RETRY, refetchChunks: [0], rejectSenders: ['mallory'] },
    );
    assert.deepEqual(rejected, ['mallory']);
    assert.throws(() => made.finalizeBlock());
    assert.equal((await made.info()).lastBlockHeight, 0n);
    for (const [index, chunk] of chunks.entries()) {
      assert.equal(existsSync(database), false, 'no database before all chunks are here');
      assert.deepEqual(await made.applySnapshotChunk({ index, chunk, sender: 'honest' }), {
        result: Applied.ACCEPT,
      });
    }
    const { lastBlockHeight, lastBlockAppHash } = await made.info();
    assert.equal(lastBlockHeight, BigInt(ENGINE_HEIGHT));
    assert.deepEqual(Buffer.from(lastBlockAppHash ?? []), Buffer.from(appHash));
    assert.throws(() => made.finalizeBlock(), /the ledger goes on from it/);
    await made.isTaken;
    const store = Store.open(database);
    const opened = store.snapshot();
    assert.equal(opened.block.header.stateRoot, checkpoint.stateRoot);
    opened.close();
    await store.close();
  });

  await t.test('another state, in chunks that its manifest names, is rejected whole', async () => {
    const lying = chunks.map((chunk) => Buffer.from(chunk));
    const at = lying[0]?.indexOf('dddd') ?? 0;
    lying[0]?.fill('e', at, at + 1);
    const { chainId, height, stateRoot, blockHash, certificateHash, byteLength } = checkpoint;
    const told = makeCheckpoint(
      { chainId, height, stateRoot, blockHash, certificateHash },
      byteLength,
      lying.map((chunk) => sha256Hex(chunk)),
    );
    const { made, rejected } = receiver(t, it);
    const given = { snapshot: snapshotOf(told), appHash };
    assert.deepEqual(await made.offerSnapshot(given), { result: Offered.ACCEPT });
    const results: Applied[] = [];
    for (const [index, chunk] of lying.entries()) {
      results.push((await made.applySnapshotChunk({ index, chunk, sender: 'mallory' })).result);
    }
    assert.equal(results.at(-1), Applied.REJECT_SNAPSHOT);
    assert.deepEqual(rejected, [null]);
    assert.equal((await made.info()).lastBlockHeight, 0n);
    // The honest state is accepted after it.
    assert.deepEqual(await made.offerSnapshot({ snapshot, appHash }), { result: Offered.ACCEPT });
  });
});
