/** The ledger behind ABCI, with a scripted consensus in place of CometBFT. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { DEVNET_POLICY, NEWEST_RULES, type RuleError, type Submission } from '@netd/ledger';
import { OPERATOR, submissionOf } from '@netd/ledger/testing';
import {
  bytesToBase64,
  bytesToHex,
  cometbftAddress,
  cometbftValidatorsHash,
  genesisHash,
  hexToBytes,
  precommitBytes,
  sha256Hex,
  type CometbftCommit,
  type JsonObject,
} from '@netd/protocol';
import {
  hashOfDigit,
  intentOf,
  registrationOf,
  signEnvelope,
  testKey,
} from '@netd/protocol/testing';
import { HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { ManualClock } from '@netd/testkit/manual-clock';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { VerifierPool } from '../../mempool/verifier-pool.ts';
import { Store } from '../../store/store.ts';
import {
  CometLedger,
  type DecidedTransaction,
  type EngineGenesis,
  type LedgerParts,
} from './comet-ledger.ts';
import type { SignedHeader } from './cometbft-rpc.ts';
import {
  BlockIDFlag,
  RequestCheckTxSchema,
  RequestFinalizeBlockSchema,
  RequestInitChainSchema,
  RequestPrepareProposalSchema,
  RequestProcessProposalSchema,
  ResponseProcessProposal_ProposalStatus as Proposal,
} from './wire/abci_pb.js';

const key = testKey('validator');
const genesis = HARNESS_GENESIS;
const engineGenesis: EngineGenesis = {
  schema: 'NET-ENGINE-GENESIS/1',
  genesisHash: genesisHash(genesis),
  idleBlockTime: 10_000,
};
const START = Date.parse(genesis.genesisTime);

function registration(actorId: string, members: JsonObject = {}): Submission {
  const signer = testKey(actorId);
  const { chainId } = genesis;
  const more = { nonce: `join-${actorId}`, chainId, ...members };
  const unsigned = registrationOf({ actorId, key: signer }, more);
  return submissionOf('registration', signEnvelope(signer, unsigned));
}

const bytesOf = ({ encoded }: Submission): Uint8Array => Buffer.from(encoded.text);

/** Records how many signatures are requested at once. */
class NotingPool extends VerifierPool {
  readonly batches: number[] = [];

  override verifyAll(
    ...[signatures]: Parameters<VerifierPool['verifyAll']>
  ): ReturnType<VerifierPool['verifyAll']> {
    if (signatures.length > 0) this.batches.push(signatures.length);
    return super.verifyAll(signatures);
  }
}

/** Decides the given transactions, one height after another, and reports each header. */
class Script {
  readonly store: Store;
  readonly ledger: CometLedger;
  readonly verifier: NotingPool;
  readonly decided: DecidedTransaction[] = [];
  readonly refused: [Submission, RuleError][] = [];
  readonly halts: string[] = [];
  readonly halted: Promise<string>;
  private halt: (error: unknown) => void = () => {};
  /** True while CometBFT reports headers; it reports none during a replay. */
  tells = true;
  height = 0;
  /** The votes in the commit that the next height brings. */
  lastCommit: { address: string; blockIdFlag: BlockIDFlag }[] = [];
  private readonly headers = new Map<number, SignedHeader>();
  private appHash = '';
  private readonly signer = key;

  private constructor(store: Store, verifier: NotingPool, ledger: CometLedger) {
    this.store = store;
    this.verifier = verifier;
    this.ledger = ledger;
    this.halted = new Promise((resolve) => {
      this.halt = (error) => {
        this.halts.push(String(error));
        resolve(String(error));
      };
    });
  }

  static async open(t: TestContext, ownKey?: LedgerParts['ownKey']): Promise<Script> {
    const store = Store.open(join(tempDir(t), 'chain'), { scratch: true });
    const verifier = new NotingPool(1);
    t.after(() => verifier.close());
    let script: Script | null = null;
    const ledger = await CometLedger.open(
      {
        store,
        genesis,
        engineGenesis,
        committer: store,
        verifier,
        clock: new ManualClock(),
        ownKey,
        signedHeader: (height) => {
          const header = script?.tells === true ? script.headers.get(height) : undefined;
          return header ? Promise.resolve(header) : Promise.reject(new Error('not yet'));
        },
      },
      {
        onDecided: (decided) => script?.decided.push(...decided),
        onRefused: (...refused) => script?.refused.push(refused),
        onHalt: (error) => script?.halt(error),
        onBlockFailure: (error) => script?.halts.push(String(error)),
      },
    );
    script = new Script(store, verifier, ledger);
    t.after(() => script.close());
    return script;
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.store.close();
  }

  initChain(change: Partial<EngineGenesis> = {}, chainId = genesis.chainId): void {
    const state = { ...engineGenesis, ...change };
    const { appHash } = this.ledger.initChain(
      create(RequestInitChainSchema, {
        chainId,
        appStateBytes: Buffer.from(JSON.stringify(state)),
      }),
    );
    this.appHash = bytesToHex(appHash);
  }

  /** Decides one height with these transactions, so many milliseconds after genesis. */
  async decide(after: number, ...submissions: Submission[]): Promise<number[]> {
    this.height++;
    this.headers.set(this.height, this.signed());
    const time = START + after;
    const { appHash, txResults } = await this.ledger.finalizeBlock(
      create(RequestFinalizeBlockSchema, {
        height: BigInt(this.height),
        txs: submissions.map(bytesOf),
        time: { seconds: BigInt(Math.floor(time / 1_000)), nanos: (time % 1_000) * 1_000_000 },
        proposerAddress: hexToBytes(cometbftAddress(key.raw)),
        decidedLastCommit: {
          votes: this.lastCommit.map(({ address, blockIdFlag }) => ({
            validator: { address: hexToBytes(address), power: 1n },
            blockIdFlag,
          })),
        },
      }),
    );
    this.ledger.commit();
    this.appHash = bytesToHex(appHash);
    return txResults.map(({ code }) => code);
  }

  private signed(): SignedHeader {
    const validatorSet = this.ledger.chain.validatorSetAt(0);
    const commit: CometbftCommit = {
      round: 0,
      parts: { total: 1, hash: sha256Hex('parts') },
      header: {
        version: { block: 11, app: 1 },
        chainId: genesis.chainId,
        height: this.height,
        time: '2026-01-01T00:00:00Z',
        lastBlockId: { hash: '', parts: { total: 0, hash: '' } },
        lastCommitHash: '',
        dataHash: '',
        validatorsHash: cometbftValidatorsHash(validatorSet.validators),
        nextValidatorsHash: cometbftValidatorsHash(validatorSet.validators),
        consensusHash: '',
        appHash: this.appHash,
        lastResultsHash: '',
        evidenceHash: '',
        proposerAddress: cometbftAddress(key.raw),
      },
    };
    const timestamp = '2026-01-01T00:00:01Z';
    const signature = bytesToBase64(this.signer.signBytes(precommitBytes(commit, timestamp)));
    return { commit, signatures: [{ address: cometbftAddress(key.raw), timestamp, signature }] };
  }

  /** Resolves when the chain on disk has this height. */
  async written(height: number): Promise<void> {
    const { chain } = this.ledger;
    if (chain.height >= height) return;
    await new Promise<void>((resolve) => {
      const off = chain.onBlock((now) => {
        if (now < height) return;
        off();
        resolve();
      });
    });
  }
}

test('a block is on disk when the header that states it is decided, and not before', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  assert.equal(it.ledger.isCertified, false);
  assert.deepEqual(await it.decide(0, registration('ada')), [0]);
  assert.equal(it.ledger.newest.height, 1);
  assert.equal(it.ledger.chain.height, 0);
  await it.decide(1);
  await it.written(1);
  assert.equal(it.ledger.isCertified, true);
  assert.equal(it.decided.length, 1);
  assert.deepEqual(validateChain(it.store), []);
  assert.deepEqual(await it.ledger.info(), {
    data: 'netd',
    appVersion: 1n,
    lastBlockHeight: 1n,
    lastBlockAppHash: hexToBytes(certificateHashOf(it)),
  });
});

const certificateHashOf = ({ store }: Script): string => {
  const snapshot = store.snapshot();
  try {
    return snapshot.block.certificate.certificateHash;
  } finally {
    snapshot.close();
  }
};

test('an empty height is no block, until the idle time has passed', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  for (const after of [0, 5_000, 9_999]) await it.decide(after);
  assert.equal(it.ledger.newest.height, 0);
  await it.decide(10_000);
  assert.equal(it.ledger.newest.height, 1);
  await it.decide(10_500);
  await it.written(1);
  assert.equal(it.ledger.newest.height, 1);
  assert.equal(it.ledger.chain.head.timestamp, new Date(START + 10_000).toISOString());
});

async function begun(t: TestContext): Promise<Script> {
  const it = await Script.open(t);
  it.initChain();
  await it.decide(0, registration('ada'));
  await it.decide(1);
  await it.written(1);
  return it;
}

test('what was not on disk is brought again, and comes out the same', async (t) => {
  const it = await begun(t);
  // Two more blocks are decided while CometBFT reports no headers, and then it dies.
  it.tells = false;
  await it.decide(2, registration('bob'));
  await it.decide(3, registration('cyd'));
  const before = it.ledger.newest;
  assert.equal(before.height, 3);
  const { lastBlockHeight } = await it.ledger.info();
  assert.equal(lastBlockHeight, 1n);
  assert.equal(it.ledger.newest.height, 1);
  it.height = Number(lastBlockHeight);
  await it.decide(1);
  await it.decide(2, registration('bob'));
  await it.decide(3, registration('cyd'));
  assert.deepEqual(it.ledger.newest, before);
  it.tells = true;
  await it.decide(4);
  // The script's clock stands still, so a pause ends with the next height.
  await it.decide(5);
  assert.deepEqual(it.halts, []);
});

test('a CometBFT that ends while its block waits for certificates is waited for no more', async (t) => {
  const it = await begun(t);
  it.tells = false;
  for (let block = 2; block <= 5; block++) await it.decide(block, registration(`agent-${block}`));
  // As many blocks wait as allowed. A disconnected CometBFT sends no header, and the next one asks only after this answer.
  const held = it.decide(6, registration('eve'));
  it.ledger.disconnected();
  await held;
  assert.equal((await it.ledger.info()).lastBlockHeight, 1n);
  assert.equal(it.ledger.newest.height, 1);
  assert.deepEqual(it.halts, []);
});

test('a chain that is lost while CometBFT has its own halts the node, with what to do', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  // CometBFT replays all its blocks, and reports no headers meanwhile.
  it.tells = false;
  for (let block = 1; block <= 8; block++) await it.decide(block, registration(`agent-${block}`));
  const sentence = /up to height 0, and its CometBFT has decided more than 8 .* begin anew/;
  await assert.rejects(it.decide(9, registration('eve')), sentence);
  assert.match(await it.halted, sentence);
});

test('a refused transaction leaves no trace, and its sender hears why', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  const twice = registration('ada');
  assert.deepEqual(await it.decide(0, twice, twice, registration('bob')), [0, 1, 0]);
  await it.decide(1);
  await it.written(1);
  assert.deepEqual(
    it.decided.map(({ outcome }) => outcome.ok),
    [true, false, true],
  );
  const { code } = it.ledger.checkTx(create(RequestCheckTxSchema, { tx: bytesOf(twice) }));
  assert.equal(code, 1);
  assert.equal(it.refused.length, 1);
  const honest = it.ledger.checkTx(
    create(RequestCheckTxSchema, { tx: bytesOf(registration('cyd')) }),
  );
  assert.equal(honest.code, 0);
});

test('CheckTx asks the admission table; proposals of others and blocks do not', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  const hidden = registration('ada', { description: 'reads \u202Eslowly' });
  const tx = bytesOf(hidden);
  const { code, log } = it.ledger.checkTx(create(RequestCheckTxSchema, { tx }));
  assert.deepEqual([code, log], [1, 'TEXT_HIDDEN']);
  const { status } = await it.ledger.processProposal(
    create(RequestProcessProposalSchema, { txs: [tx] }),
  );
  assert.equal(status, Proposal.ACCEPT);
  assert.deepEqual(await it.decide(0, hidden), [0]);
});

test('reports no refusal of an envelope that is decided but not on disk yet', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  const ada = registration('ada');
  await it.decide(0, ada);
  const { code } = it.ledger.checkTx(create(RequestCheckTxSchema, { tx: bytesOf(ada) }));
  assert.equal(code, 1);
  assert.deepEqual(it.refused, []);
});

test('a proposal holds what would be accepted, and one of garbage is rejected', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  const [ada, bob] = [registration('ada'), registration('bob')];
  const garbage = Buffer.from('{"a": 1}');
  const txs = [bytesOf(ada), garbage, bytesOf(ada), bytesOf(bob)];
  const time = { seconds: BigInt(START / 1_000), nanos: 0 };
  const prepared = it.ledger.prepareProposal(
    create(RequestPrepareProposalSchema, { txs, maxTxBytes: 1_000_000n, time }),
  );
  assert.deepEqual(prepared.txs, [bytesOf(ada), bytesOf(bob)]);
  const small = it.ledger.prepareProposal(
    create(RequestPrepareProposalSchema, { txs, maxTxBytes: 100n, time }),
  );
  assert.deepEqual(small.txs, []);
  const judge = async (...proposed: Uint8Array[]): Promise<Proposal> => {
    const proposal = create(RequestProcessProposalSchema, { txs: proposed });
    return (await it.ledger.processProposal(proposal)).status;
  };
  assert.equal(await judge(...prepared.txs), Proposal.ACCEPT);
  assert.equal(await judge(), Proposal.ACCEPT);
  assert.equal(await judge(bytesOf(ada), garbage), Proposal.REJECT);
  assert.equal(await judge(bytesOf(ada), bytesOf(ada)), Proposal.REJECT, 'twice');
  assert.equal(
    await judge(Buffer.concat([Buffer.from(' '), bytesOf(ada)])),
    Proposal.REJECT,
    'not canonical',
  );
  assert.equal(it.ledger.newest.height, 0, 'nothing of it is kept');
});

test('the signatures of a proposal are verified at once, and not again when it is decided', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  const [ada, bob, cyd] = [registration('ada'), registration('bob'), registration('cyd')];
  const proposal = create(RequestProcessProposalSchema, { txs: [bytesOf(ada), bytesOf(bob)] });
  await it.ledger.processProposal(proposal);
  assert.deepEqual(it.verifier.batches, [2]);
  assert.deepEqual(await it.decide(0, ada, bob, cyd), [0, 0, 0]);
  assert.deepEqual(it.verifier.batches, [2, 1]);
});

test('the signatures of what is to be checked are verified at once, and never again', async (t) => {
  const it = await Script.open(t);
  it.initChain();
  const all = [registration('ada'), registration('bob'), registration('cyd')];
  const txs = all.map(bytesOf);
  await it.ledger.readAhead([...txs, Buffer.from('{"a": 1}'), bytesOf(all[0]!)]);
  assert.deepEqual(it.verifier.batches, [3]);
  for (const tx of txs) {
    assert.equal(it.ledger.checkTx(create(RequestCheckTxSchema, { tx })).code, 0);
  }
  await it.ledger.readAhead(txs);
  await it.ledger.processProposal(create(RequestProcessProposalSchema, { txs }));
  assert.deepEqual(await it.decide(0, ...all), [0, 0, 0]);
  assert.deepEqual(it.verifier.batches, [3]);
  // An envelope with a forged signature is refused, although it was read ahead.
  const forged = Buffer.from(bytesOf(registration('dan')));
  forged.write('AAAA', forged.indexOf('"signature":"') + '"signature":"'.length);
  await it.ledger.readAhead([forged]);
  const { log } = it.ledger.checkTx(create(RequestCheckTxSchema, { tx: forged }));
  assert.equal(log, 'SIGNATURE_INVALID');
});

test('CometBFT that starts from something else is refused', async (t) => {
  const it = await Script.open(t);
  assert.throws(() => it.initChain({}, 'net-2'), /another chain, net-2 instead of net-test-1/);
  assert.throws(() => it.initChain({ genesisHash: sha256Hex('') }), /another genesis/);
  assert.throws(() => it.initChain({ idleBlockTime: 1 }), /another idle block time, 1 instead/);
  assert.match(await it.halted, /net-2 instead of net-test-1: .* another home for it/);
});

for (const [lie, change, reason] of [
  ['states something else', { appHash: sha256Hex('another') }, 'states another certificateHash'],
  ['has another signature', { signer: testKey('stranger') }, 'the signature of .* does not verify'],
] as const) {
  test(`halts the validator if a header ${lie}`, async (t) => {
    const it = await Script.open(t);
    it.initChain();
    await it.decide(0, registration('ada'));
    Object.assign(it, change);
    await it.decide(1);
    const written = it.written(1).then(() => 'block 1 is written');
    const end = await Promise.race([it.halted, written]);
    assert.match(end, new RegExp(`something else than block 1 .* ${reason}`));
  });
}

test('a key that has voted elsewhere is found before it signs here', async (t) => {
  let signed = 0;
  const address = cometbftAddress(key.raw);
  const it = await Script.open(t, { address, signedHeight: () => signed });
  it.initChain();
  await it.decide(0, registration('ada'));
  // The validator did not vote there, and the votes of others are not checked.
  it.lastCommit = [
    { address, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_ABSENT },
    { address: 'ab'.repeat(20), blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT },
  ];
  await it.decide(1);
  // A vote for nil counts too.
  it.lastCommit = [{ address, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_NIL }];
  signed = 2;
  await it.decide(2);
  const sentence =
    /voted at height 3 of CometBFT, and .* signed up to height 2: it signs in another place/;
  await assert.rejects(it.decide(3), sentence);
  assert.match(await it.halted, sentence);
});

test('a vote above the height at which a record was recovered proves a twin', async (t) => {
  const address = cometbftAddress(key.raw);
  const recovered = { certified: 1, record: 3 };
  const it = await Script.open(t, { address, signedHeight: () => 3, recovered });
  it.initChain();
  await it.decide(0, registration('ada'));
  it.lastCommit = [{ address, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT }];
  // The lost machine voted at height 1.
  await it.decide(1);
  const sentence = /voted at height 2 of CometBFT, and its record was recovered above height 1/;
  await assert.rejects(it.decide(2), sentence);
  assert.match(await it.halted, sentence);
});

const ARTIFACT = hashOfDigit('a');
const FIRST_UNKNOWN = 5;

/** Decides all blocks whose rules are known: the last one enacts rules that this code lacks. */
async function untilUnknownRules(t: TestContext): Promise<Script> {
  const it = await Script.open(t);
  it.initChain();
  const payload = { version: NEWEST_RULES + 1, height: FIRST_UNKNOWN, artifactHash: ARTIFACT };
  const members = { nonce: 'schedule', expiresAtHeight: 100, chainId: genesis.chainId };
  const intent = intentOf(OPERATOR, { ...members, action: 'scheduleRules', payload });
  const { milliseconds } = DEVNET_POLICY.governance.timelock;
  assert.deepEqual(
    await it.decide(0, submissionOf('intent', signEnvelope(testKey(OPERATOR), intent))),
    [0],
  );
  for (const [after, name] of ['ada', 'bob', 'cyd'].entries()) {
    assert.deepEqual(await it.decide(milliseconds + after, registration(name)), [0]);
  }
  await it.written(FIRST_UNKNOWN - 2);
  return it;
}

const unknownRules = new RegExp(
  `block ${FIRST_UNKNOWN} .* version ${NEWEST_RULES + 1} .*${ARTIFACT}`,
);

test('votes for no block whose rules it lacks, and halts once the last known block is on disk', async (t) => {
  const it = await untilUnknownRules(t);
  const { ledger } = it;
  const tx = bytesOf(registration('dan'));
  const time = { seconds: BigInt(Math.floor(START / 1_000) + 60), nanos: 0 };
  const proposal = { txs: [tx], maxTxBytes: 1_000_000n, time };
  assert.deepEqual(ledger.prepareProposal(create(RequestPrepareProposalSchema, proposal)).txs, []);
  for (const txs of [[tx], []]) {
    const { status } = await ledger.processProposal(create(RequestProcessProposalSchema, { txs }));
    assert.equal(status, Proposal.REJECT);
  }
  assert.notEqual(ledger.checkTx(create(RequestCheckTxSchema, { tx })).code, 0);
  assert.deepEqual([it.refused, it.halts], [[], []]);
  assert.equal(ledger.chain.height, FIRST_UNKNOWN - 2);

  const unanswered = it.decide(100_000);
  assert.match(await it.halted, unknownRules);
  assert.equal(ledger.chain.height, FIRST_UNKNOWN - 1);
  assert.deepEqual(validateChain(it.store), []);
  ledger.disconnected();
  await assert.rejects(unanswered, unknownRules);
  assert.equal(it.halts.length, 1);
  // A new CometBFT replays only the block that was not answered.
  const { lastBlockHeight } = await ledger.info();
  assert.equal(lastBlockHeight, BigInt(it.height - 1));
});

test('halts without the last known block if CometBFT replays the unknown one', async (t) => {
  const it = await untilUnknownRules(t);
  it.tells = false;
  await it.ledger.info();
  it.height--;
  await it.decide(DEVNET_POLICY.governance.timelock.milliseconds + 2, registration('cyd'));
  const unanswered = it.decide(100_000);
  assert.match(await it.halted, unknownRules);
  assert.equal(it.ledger.chain.height, FIRST_UNKNOWN - 2);
  it.ledger.disconnected();
  await assert.rejects(unanswered, unknownRules);
  assert.deepEqual(validateChain(it.store), []);
});
