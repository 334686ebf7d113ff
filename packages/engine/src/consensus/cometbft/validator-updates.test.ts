/** Validator updates and votes between CometBFT and the ledger through ABCI. A script plays CometBFT. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { withChangingSet } from '@netd/ledger';
import { submissionOf } from '@netd/ledger/testing';
import { bytesToHex, cometbftAddress, genesisHash, hexToBytes } from '@netd/protocol';
import { registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { ManualClock } from '@netd/testkit/manual-clock';
import { tempDir } from '@netd/testkit/temp-dir';
import { VerifierPool } from '../../mempool/verifier-pool.ts';
import { Store } from '../../store/store.ts';
import { CometLedger } from './comet-ledger.ts';
import {
  BlockIDFlag,
  CommitInfoSchema,
  MisbehaviorSchema,
  MisbehaviorType,
  RequestFinalizeBlockSchema,
  RequestInitChainSchema,
  type RequestFinalizeBlock,
} from './wire/abci_pb.js';

const NET = 1_000_000;
const IDS = ['val-a', 'val-b', 'val-c', 'val-d'] as const;
const keyOf = (validatorId: string) => testKey(`${validatorId} consensus`);
const addressOf = (validatorId: string): Uint8Array =>
  hexToBytes(cometbftAddress(keyOf(validatorId).raw));

const genesis = withChangingSet(
  HARNESS_GENESIS,
  IDS.map((validatorId) => ({
    validatorId,
    consensusPublicKey: keyOf(validatorId).publicKey,
    ownerPublicKey: testKey(validatorId).publicKey,
    faultDomain: validatorId,
    bond: 1_000 * NET,
  })),
  {
    termHeights: 2,
    maximum: 4,
    downtime: { window: 10, missed: 1, jail: { heights: 1, milliseconds: 1 } },
  },
);
const engineGenesis = {
  schema: 'NET-ENGINE-GENESIS/1' as const,
  genesisHash: genesisHash(genesis),
  idleBlockTime: 600_000,
};

type Request = Partial<Pick<RequestFinalizeBlock, 'txs' | 'misbehavior' | 'decidedLastCommit'>>;

const registration = (actorId: string): Uint8Array => {
  const key = testKey(actorId);
  const fields = { nonce: `join-${actorId}`, chainId: genesis.chainId };
  const envelope = signEnvelope(key, registrationOf({ actorId, key }, fields));
  return Buffer.from(submissionOf('registration', envelope).encoded.text);
};

const signedTwice = (validatorId: string, height: bigint): Request => ({
  misbehavior: [
    create(MisbehaviorSchema, {
      type: MisbehaviorType.DUPLICATE_VOTE,
      height,
      validator: { address: addressOf(validatorId) },
    }),
  ],
});

const absent = (missing: string): Request => ({
  decidedLastCommit: create(CommitInfoSchema, {
    votes: [...IDS, missing].map((validatorId) => ({
      validator: { address: addressOf(validatorId), power: 1_000n },
      blockIdFlag:
        validatorId === missing ? BlockIDFlag.BLOCK_ID_FLAG_ABSENT : BlockIDFlag.BLOCK_ID_FLAG_NIL,
    })),
  }),
});

/** Returns the results of each height: our height, the key and power of every update, and the app hash. */
async function play(
  t: TestContext,
  requests: readonly Request[],
): Promise<{ height: number; updates: [string, bigint][]; appHash: string }[]> {
  const store = Store.open(join(tempDir(t), 'chain'), { scratch: true });
  const verifier = new VerifierPool(1);
  const ledger = await CometLedger.open(
    {
      store,
      genesis,
      engineGenesis,
      committer: store,
      verifier,
      clock: new ManualClock(),
      // As during CometBFT's replay: everything waits in memory.
      signedHeader: () => Promise.reject(new Error('not yet')),
    },
    {
      onDecided: () => {},
      onRefused: () => {},
      onHalt: (error) => assert.fail(String(error)),
      onBlockFailure: (error) => assert.fail(String(error)),
    },
  );
  try {
    ledger.initChain(
      create(RequestInitChainSchema, {
        chainId: genesis.chainId,
        appStateBytes: Buffer.from(JSON.stringify(engineGenesis)),
      }),
    );
    const found = [];
    for (const [index, request] of requests.entries()) {
      const time = Date.parse(genesis.genesisTime) / 1_000 + index + 1;
      const { validatorUpdates, appHash } = await ledger.finalizeBlock(
        create(RequestFinalizeBlockSchema, {
          height: BigInt(index + 1),
          time: { seconds: BigInt(time), nanos: 0 },
          proposerAddress: addressOf('val-b'),
          ...request,
        }),
      );
      ledger.commit();
      const updates = validatorUpdates.map(({ pubKey, power }): [string, bigint] => {
        assert.equal(pubKey?.sum.case, 'ed25519');
        const key = bytesToHex(pubKey.sum.value);
        return [IDS.find((id) => bytesToHex(keyOf(id).raw) === key) ?? key, power];
      });
      found.push({ height: ledger.newest.height, updates, appHash: bytesToHex(appHash) });
    }
    return found;
  } finally {
    await ledger.close();
    await verifier.close();
    await store.close();
  }
}

test('who signs twice is slashed by one block, and out with the next term', async (t) => {
  const requests = [
    signedTwice('val-a', 1n),
    // A repeated report has no consequences, so there is no block.
    signedTwice('val-a', 1n),
    signedTwice('val-a', 2n),
    { txs: [registration('ada')] },
    // The term is over: a due system transition makes a block.
    {},
    {},
  ];
  const found = await play(t, requests);
  assert.deepEqual(
    found.map(({ height }) => height),
    [1, 1, 1, 2, 3, 3],
  );
  assert.deepEqual(
    found.map(({ updates }) => updates),
    [[], [], [], [], [['val-a', 0n]], []],
  );
  // Another node computes the same hashes.
  assert.deepEqual(await play(t, requests), found);
});

test('who lacks in commits is jailed; an empty height makes no block of it', async (t) => {
  const found = await play(t, [
    absent('val-c'),
    absent('val-c'),
    { txs: [registration('ada')], ...absent('val-c') },
    { txs: [registration('bob')], ...absent('val-c') },
    absent('val-d'),
  ]);
  assert.deepEqual(
    found.map(({ height }) => height),
    [0, 0, 1, 2, 3],
  );
  assert.deepEqual(found.at(-1)?.updates, [['val-c', 0n]]);
});

test('a stranger to every set is nothing to the ledger', async (t) => {
  const [one] = await play(t, [{ ...signedTwice('eve', 1n), ...absent('eve') }]);
  assert.equal(one?.height, 0);
});
