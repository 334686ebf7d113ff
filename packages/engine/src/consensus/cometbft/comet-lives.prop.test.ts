/**
 * Simulates four validators over ABCI without CometBFT. A script orders the blocks: it proposes several times
 * per height, delivers late, repeats, reports headers late, and kills validators at every point.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { genesisValidatorSet, type Submission } from '@netd/ledger';
import { submissionOf } from '@netd/ledger/testing';
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
  type Genesis,
} from '@netd/protocol';
import { plays, registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { ManualClock } from '@netd/testkit/manual-clock';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import * as fc from 'fast-check';
import { Store } from '../../store/store.ts';
import { VerifierPool } from '../../mempool/verifier-pool.ts';
import { CometLedger, type EngineGenesis } from './comet-ledger.ts';
import { CometbftRpcError, type SignedHeader } from './cometbft-rpc.ts';
import {
  RequestCheckTxSchema,
  RequestFinalizeBlockSchema,
  RequestInitChainSchema,
  RequestPrepareProposalSchema,
  RequestProcessProposalSchema,
  ResponseProcessProposal_ProposalStatus as Proposal,
} from './wire/abci_pb.js';

const NODES = 4;
const QUORUM = 3;
const ACTORS = 5;
const KEYS = Array.from({ length: NODES }, (_, index) => testKey(`validator-${index + 1}`));
const genesis: Genesis = {
  ...HARNESS_GENESIS,
  validators: KEYS.map(({ publicKey }, index) => ({
    validatorId: `validator-${index + 1}`,
    consensusPublicKey: publicKey,
    votingPower: 1,
    faultDomain: `zone-${index}`,
  })),
};
const engineGenesis: EngineGenesis = {
  schema: 'NET-ENGINE-GENESIS/1',
  genesisHash: genesisHash(genesis),
  idleBlockTime: 3_000,
};
const START = Date.parse(genesis.genesisTime);
const VALIDATORS_HASH = cometbftValidatorsHash(genesisValidatorSet(genesis).validators);

/** Two registrations of each id, by different keys: the second to be decided is refused. */
const SUBMISSIONS: Submission[] = Array.from({ length: 2 * ACTORS }, (_, index) => {
  const signer = testKey(`key-${index}`);
  const actor = { actorId: `actor-${index % ACTORS}`, key: signer };
  const fields = { nonce: `join-${index}`, chainId: genesis.chainId };
  return submissionOf('registration', signEnvelope(signer, registrationOf(actor, fields)));
});
const TXS = SUBMISSIONS.map(({ encoded }) => Buffer.from(encoded.text));
const GARBAGE = Buffer.from('{"b": 1, "a": 2}');

/** The decision of the validators at one height. */
interface Decision {
  txs: Uint8Array[];
  /** Milliseconds since genesis. */
  after: number;
  proposer: number;
  /** Precommits of all four; each validator has seen a quorum of its own. */
  commit: CometbftCommit;
  votes: SignedHeader['signatures'];
  /** All validators must give the same answers. */
  outcome: { codes: number[]; appHash: string } | null;
}

class Network {
  readonly decisions: Decision[] = [];
  readonly nodes: Node[] = [];
  readonly verifier = new VerifierPool(1);
  /** The header of the next height states this. */
  appHash = '';

  decide(txs: Uint8Array[], wait: number, proposer: number): void {
    const height = this.decisions.length + 1;
    const after = (this.decisions.at(-1)?.after ?? 0) + (height === 1 ? 0 : wait);
    const commit: CometbftCommit = {
      round: height % 3,
      parts: { total: 1, hash: sha256Hex('parts') },
      header: {
        version: { block: 11, app: 1 },
        chainId: genesis.chainId,
        height,
        time: '2026-01-01T00:00:00Z',
        lastBlockId: { hash: '', parts: { total: 0, hash: '' } },
        lastCommitHash: '',
        dataHash: '',
        validatorsHash: VALIDATORS_HASH,
        nextValidatorsHash: VALIDATORS_HASH,
        consensusHash: '',
        appHash: this.appHash,
        lastResultsHash: '',
        evidenceHash: '',
        proposerAddress: addressOf(proposer),
      },
    };
    const timestamp = '2026-01-01T00:00:01Z';
    const votes = KEYS.map((key, index) => ({
      address: addressOf(index),
      timestamp,
      signature: bytesToBase64(key.signBytes(precommitBytes(commit, timestamp))),
    }));
    this.decisions.push({ txs, after, proposer, commit, votes, outcome: null });
  }
}

const addressOf = (index: number): string =>
  cometbftAddress(KEYS[index % NODES]?.raw ?? new Uint8Array());

const timeOf = (after: number): { seconds: bigint; nanos: number } => {
  const time = START + after;
  return { seconds: BigInt(Math.floor(time / 1_000)), nanos: (time % 1_000) * 1_000_000 };
};

/** Runs every timer in the next turn of the event loop. */
class PromptClock extends ManualClock {
  override after(_milliseconds: number, callback: () => void): () => void {
    const turn = setImmediate(callback);
    return () => clearImmediate(turn);
  }
}

/** One validator: its database, its ledger, and the visible part of its CometBFT. */
class Node {
  private readonly halted = Promise.withResolvers<never>();
  private readonly clock = new PromptClock();
  ledger!: CometLedger;
  store!: Store;
  /** Heights that its CometBFT has stored: what is up to here is replayed after an end, before headers are reported. */
  stored = 0;
  /** Heights executed since it connected, or before. */
  height = 0;
  /** Number of times that a header is not reported yet. */
  lateness = 0;
  private replays = false;
  private readonly network: Network;
  private readonly index: number;
  private readonly path: string;

  constructor(network: Network, index: number, path: string) {
    this.network = network;
    this.index = index;
    this.path = path;
    this.halted.promise.catch(() => {});
  }

  async open(): Promise<void> {
    this.store = Store.open(this.path, { scratch: true });
    this.ledger = await CometLedger.open(
      {
        store: this.store,
        genesis,
        engineGenesis,
        committer: this.store,
        verifier: this.network.verifier,
        clock: this.clock,
        signedHeader: (height) => this.headerOf(height),
      },
      {
        onDecided: () => {},
        onRefused: () => {},
        onHalt: this.halted.reject,
        onBlockFailure: this.halted.reject,
      },
    );
    await this.connect();
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.store.close();
  }

  /** Starts a CometBFT: it asks for the ledger's height, and continues from there. */
  async connect(): Promise<void> {
    const { lastBlockHeight, lastBlockAppHash } = await this.ledger.info();
    this.height = Number(lastBlockHeight);
    if (this.height === 0) {
      const { appHash } = this.ledger.initChain(
        create(RequestInitChainSchema, {
          chainId: genesis.chainId,
          appStateBytes: Buffer.from(JSON.stringify(engineGenesis)),
        }),
      );
      const hash = bytesToHex(appHash);
      if (this.network.decisions.length === 0) this.network.appHash ||= hash;
      assert.equal(hash, this.network.decisions[0]?.commit.header.appHash ?? this.network.appHash);
    } else {
      const { outcome } = this.network.decisions[this.height - 1] ?? {};
      assert.equal(bytesToHex(lastBlockAppHash), outcome?.appHash);
    }
    this.replays = true;
    while (this.height < this.stored) await this.take();
    this.replays = false;
  }

  /** Executes the next height, if it is decided. */
  async take(ending = false): Promise<void> {
    const decision = this.network.decisions[this.height];
    if (!decision) return;
    const height = this.height + 1;
    // A height is stored before it is executed.
    this.stored = Math.max(this.stored, height);
    const finalized = this.ledger.finalizeBlock(
      create(RequestFinalizeBlockSchema, {
        height: BigInt(height),
        txs: decision.txs,
        time: timeOf(decision.after),
        proposerAddress: hexToBytes(addressOf(decision.proposer)),
      }),
    );
    const { txResults, appHash } = await this.unlessHalted(finalized);
    const outcome = { codes: txResults.map(({ code }) => code), appHash: bytesToHex(appHash) };
    decision.outcome ??= outcome;
    assert.deepEqual(outcome, decision.outcome, `height ${height} of validator ${this.index + 1}`);
    if (height === this.network.decisions.length) this.network.appHash = outcome.appHash;
    if (ending) return;
    this.ledger.commit();
    this.height = height;
  }

  private unlessHalted<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.halted.promise]);
  }

  /** Resolves when the chain on disk has this height. */
  async written(height: number): Promise<void> {
    const { chain } = this.ledger;
    await this.unlessHalted(
      new Promise<void>((resolve) => {
        const isThere = (): boolean => chain.height >= height && this.ledger.isCertified;
        if (isThere()) {
          resolve();
          return;
        }
        const off = chain.onBlock(() => {
          if (!isThere()) return;
          off();
          resolve();
        });
      }),
    );
  }

  private headerOf(height: number): Promise<SignedHeader> {
    // CometBFT's RPC is not available while it replays.
    if (this.replays) return Promise.reject(new Error('connect ENOENT'));
    const decision = this.network.decisions[height - 1];
    if (!decision || height > this.stored || this.lateness-- > 0) {
      return Promise.reject(new CometbftRpcError('not yet'));
    }
    const { commit, votes } = decision;
    const absent = (height + this.index) % (NODES + 1);
    return Promise.resolve({ commit, signatures: votes.filter((_, index) => index !== absent) });
  }
}

const anyNode = fc.nat(NODES - 1);
const someTxs = fc.uniqueArray(fc.nat(TXS.length - 1), { maxLength: 4 });
const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      wait: fc.constantFrom(0, 1, 200, 4_000),
      rounds: fc.array(
        fc.record({ proposer: anyNode, txs: someTxs, garbage: fc.boolean(), seenBy: fc.nat(15) }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      node: anyNode,
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('check' as const), node: anyNode, txs: someTxs }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      node: anyNode,
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('engine-ends' as const, 'both-end' as const),
      node: anyNode,
      between: fc.boolean(),
    }),
  },
);
type Step =
  | (typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never)
  | { kind: 'written'; node: number; height: number };

async function play(network: Network, step: Step): Promise<void> {
  const nodeOf = (index: number): Node => {
    const node = network.nodes[index];
    assert.ok(node);
    return node;
  };
  switch (step.kind) {
    case 'decide':
      await propose(network, step);
      break;
    case 'take':
      for (let left = step.count; left > 0; left--) await nodeOf(step.node).take();
      break;
    case 'check':
      for (const index of step.txs) {
        nodeOf(step.node).ledger.checkTx(
          create(RequestCheckTxSchema, { tx: TXS[index] ?? GARBAGE }),
        );
      }
      break;
    case 'written':
      await nodeOf(step.node).written(step.height);
      break;
    case 'late':
      nodeOf(step.node).lateness = step.times;
      break;
    default: {
      const node = nodeOf(step.node);
      if (step.between) await node.take(true);
      if (step.kind === 'engine-ends') {
        await node.connect();
      } else {
        await node.close();
        await node.open();
      }
    }
  }
}

/** Runs the rounds of one height. All but the last fail. Each validator that receives a proposal judges it. */
async function propose(
  network: Network,
  { wait, rounds }: Extract<Step, { kind: 'decide' }>,
): Promise<void> {
  const height = network.decisions.length;
  // A validator proposes only after a quorum has executed the blocks before.
  for (const node of network.nodes.slice(0, QUORUM)) while (node.height < height) await node.take();
  const after = (network.decisions.at(-1)?.after ?? 0) + wait;
  let last: { txs: Uint8Array[]; proposer: number } = { txs: [], proposer: 0 };
  for (const { proposer, txs, garbage, seenBy } of rounds) {
    const proposing = network.nodes[proposer % QUORUM];
    assert.ok(proposing);
    const offered = txs.flatMap((index) => TXS[index] ?? []);
    if (garbage) offered.push(GARBAGE);
    const { txs: chosen } = proposing.ledger.prepareProposal(
      create(RequestPrepareProposalSchema, {
        txs: offered,
        maxTxBytes: 1_000_000n,
        time: timeOf(after),
      }),
    );
    const judge = async (node: Node, proposed: Uint8Array[]): Promise<Proposal> =>
      (await node.ledger.processProposal(create(RequestProcessProposalSchema, { txs: proposed })))
        .status;
    for (const [index, node] of network.nodes.entries()) {
      if ((seenBy & (1 << index)) === 0) continue;
      assert.equal(await judge(node, chosen), Proposal.ACCEPT);
      if (garbage) assert.equal(await judge(node, offered), Proposal.REJECT);
    }
    // A proposer that includes refused transactions is dishonest, but its block may still be decided.
    last = { txs: garbage ? offered.slice(0, -1) : chosen, proposer };
  }
  network.decide(last.txs, wait, last.proposer);
}

async function live(directory: string, steps: readonly Step[]): Promise<void> {
  const network = new Network();
  try {
    for (let index = 0; index < NODES; index++) {
      const node = new Node(network, index, join(directory, `chain-${index}`));
      network.nodes.push(node);
      await node.open();
    }
    for (const step of steps) await play(network, step);
    // All validators execute every block, and one more empty height certifies the newest.
    for (const wait of [1, 4_000, 1] as const) {
      const rounds = [{ proposer: 0, txs: [], garbage: false, seenBy: 15 }];
      await propose(network, { kind: 'decide', wait, rounds });
      for (const node of network.nodes)
        while (node.height < network.decisions.length) await node.take();
    }
    const heads = new Set<string>();
    for (const node of network.nodes) {
      await node.written(node.ledger.newest.height);
      heads.add(`${node.ledger.chain.head.blockHash} at ${node.ledger.chain.height}`);
    }
    assert.equal(heads.size, 1, [...heads].join());
    // All have the same blocks, each with the votes that it received; check one of them completely.
    const { store } = network.nodes[steps.length % NODES] ?? {};
    assert.ok(store);
    assert.deepEqual(validateChain(store), []);
  } finally {
    for (const node of network.nodes) await node.close();
    await network.verifier.close();
  }
}

test('whatever is proposed, delayed, repeated and ended, four validators have one chain', async (t: TestContext) => {
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      await live(join(tempDir(t), `life-${lives++}`), steps);
    }),
    // One run takes some tenths of a second for its four databases.
    { numRuns: plays(8, 500) },
  );
});

test('a validator that was away for many blocks takes them as fast as they come', async (t) => {
  const decide = (index: number): Step => ({
    kind: 'decide',
    wait: 4_000,
    rounds: [{ proposer: 0, txs: [index % TXS.length], garbage: false, seenBy: 7 }],
  });
  const away = Array.from({ length: 12 }, (_, index) => decide(index));
  await live(tempDir(t), [
    ...away.slice(0, 2),
    { kind: 'take', node: 3, count: 2 },
    { kind: 'written', node: 3, height: 1 },
    ...away.slice(2),
    { kind: 'both-end', node: 3, between: false },
    { kind: 'late', node: 3, times: 20 },
  ]);
});
