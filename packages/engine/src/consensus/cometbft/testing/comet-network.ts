/** Validators in this process, each with its own database and CometBFT. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { devnetGenesis, type Submission } from '@netd/ledger';
import { OPERATOR, submissionOf } from '@netd/ledger/testing';
import type { Genesis, JsonObject, Receipt } from '@netd/protocol';
import { intentOf, registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
import { Wires } from '@netd/testkit/wires';
import { systemClock, type Clock } from '../../../chain/clock.ts';
import type { BlockCommitter, Chain } from '../../../chain/chain.ts';
import type { HealthIssue } from '../../../health-issue.ts';
import { EngineHost } from '../../host/engine-host.ts';
import { LocalEngine } from '../../host/engine-link.ts';
import {
  DEFAULT_MEMPOOL_LIMITS,
  Mempool,
  type SubmissionResult,
} from '../../../mempool/mempool.ts';
import { VerifierPool } from '../../../mempool/verifier-pool.ts';
import { Store } from '../../../store/store.ts';
import { openCometChain } from '../comet-chain.ts';
import { CometConsensus, type CometNews, type CometOptions } from '../comet-consensus.ts';
import { forgetChain, nodeId } from '../cometbft-home.ts';
import { freePorts } from './cometbft-here.ts';

/** The longest wait of a test here, which is shorter than its timeout. */
export const PATIENCE_MILLISECONDS = 90_000;

const nameOf = (index: number): string => `validator-${index + 1}`;

function genesisOf(count: number): Genesis {
  const genesis = devnetGenesis({
    chainId: 'net-test-1',
    // The first header has this time, and the second that of the clock.
    genesisTime: new Date().toISOString(),
    operator: { actorId: OPERATOR, publicKey: testKey(OPERATOR).publicKey },
    validator: { validatorId: nameOf(0), consensusPublicKey: testKey(nameOf(0)).publicKey },
  });
  const validators = Array.from({ length: count }, (_, index) => ({
    validatorId: nameOf(index),
    consensusPublicKey: testKey(nameOf(index)).publicKey,
    votingPower: 1,
    faultDomain: `zone-${index}`,
  }));
  return { ...genesis, validators };
}

/** Parts of a validator's environment that differ from its peers'. */
interface WorldOptions {
  clock?: Clock;
  committerOf?: (committer: BlockCommitter) => BlockCommitter;
  between?: CometOptions['between'];
}

interface RunningValidator {
  chain: Chain;
  host: EngineHost<CometNews>;
  consensus: CometConsensus;
}

/** One validator: its database, its engine behind a host, and its reports. */
export class CometValidator {
  readonly halts: string[] = [];
  readonly halted: Promise<string>;
  private readonly noteHalt: (sentence: string) => void;
  readonly engineEnds: string[] = [];
  /** Blocks that the disk refused. */
  readonly failures: string[] = [];
  readonly mempool = new Mempool(DEFAULT_MEMPOOL_LIMITS);
  readonly store: Store;
  private readonly verifier = new VerifierPool();
  private running: RunningValidator | null = null;

  constructor(path: string) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.halted = promise;
    this.noteHalt = resolve;
    this.store = Store.open(path);
  }

  private get opened(): RunningValidator {
    if (!this.running) throw new Error('the validator is not open');
    return this.running;
  }

  get chain(): Chain {
    return this.opened.chain;
  }

  /** @param options.clock of the ledger only; CometBFT uses the machine's */
  async open(
    options: Omit<CometOptions, 'store' | 'verifier' | 'clock' | 'committer'> & WorldOptions,
  ): Promise<void> {
    const { store, verifier, mempool } = this;
    const { clock = systemClock, committerOf = (committer: BlockCommitter) => committer } = options;
    const parts = { ...options, store, verifier, committer: committerOf(store), clock };
    const chain = await openCometChain(store, options.genesis);
    let consensus: CometConsensus | null = null;
    const link = new LocalEngine<CometNews>({ head: chain.head }, async (side) => {
      consensus = await CometConsensus.open(parts, side);
      return { chain: consensus.ledger.chain, consensus };
    });
    const host = new EngineHost<CometNews>({ chain, mempool, store }, link, {
      onHalt: (error) => {
        this.halts.push(String(error));
        this.noteHalt(String(error));
      },
      onBlockFailure: (error) => this.failures.push(String(error)),
      onNews: (news) => {
        if (news.is !== 'engine-end') return;
        this.engineEnds.push(news.sentence);
        // The failpoint applies only once; otherwise no start would get beyond it.
        delete process.env['FAIL_TEST_INDEX'];
      },
    });
    await host.open();
    if (!consensus) throw new Error('the engine has not opened');
    this.running = { chain, host, consensus };
    host.start();
  }

  /** Kills its CometBFT. */
  async killEngine(): Promise<void> {
    await this.opened.consensus.killEngine();
  }

  get issues(): readonly HealthIssue[] {
    return this.opened.host.status.issues;
  }

  /** Pauses or resumes its CometBFT. */
  pauseEngine(isPaused: boolean): void {
    this.opened.consensus.signalEngine(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  submit(submission: Submission): Promise<SubmissionResult> {
    return this.mempool.submit(submission);
  }

  /** Sends an envelope until it is answered, as the advice of NO_QUORUM says. */
  async insist(submission: Submission): Promise<Receipt> {
    const end = performance.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      assert.ok(performance.now() < end, `no answer; the health: ${JSON.stringify(this.issues)}`);
      const result = await this.submit(submission);
      if (result.status === 'committed') return result.receipt;
      if (result.status === 'refused' && result.receipt) return result.receipt;
      assert.equal(result.status, 'unavailable', JSON.stringify(result));
    }
  }

  read<Result>(work: (snapshot: ReturnType<Store['snapshot']>) => Result): Result {
    const snapshot = this.store.snapshot();
    try {
      return work(snapshot);
    } finally {
      snapshot.close();
    }
  }

  /** Resolves when the chain has this height. */
  async reached(height: number): Promise<void> {
    if (this.chain.height >= height) return;
    await new Promise<void>((resolve) => {
      const off = this.chain.onBlock((now) => {
        if (now < height) return;
        off();
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    await this.running?.host.stop();
    await this.verifier.close();
    await this.store.close();
  }
}

export class CometNetwork {
  readonly genesis: Genesis;
  readonly validators: (CometValidator | null)[] = [];
  private readonly directory: string;
  private readonly binary: string;
  private readonly ports: number[];
  private relayed: number | undefined;
  private wires: Wires | null = null;
  private readonly worlds: readonly (WorldOptions | undefined)[];
  private nonces = 0;

  private constructor(
    directory: string,
    binary: string,
    ports: number[],
    { genesis, worlds }: { genesis: Genesis; worlds: readonly (WorldOptions | undefined)[] },
  ) {
    this.directory = directory;
    this.binary = binary;
    this.ports = ports;
    this.genesis = genesis;
    this.worlds = worlds;
  }

  /**
   * @param options.of changes the genesis of `count` validators
   * @param options.further nodes with keys of their own that genesis does not name; they are not started
   * @param options.relayed the validator whose connections `cut` ends
   * @param options.worlds of each validator
   */
  static async start(
    t: TestContext,
    binary: string,
    count: number,
    options: {
      of?: (genesis: Genesis) => Genesis;
      further?: number;
      relayed?: number;
      worlds?: readonly (WorldOptions | undefined)[];
    } = {},
  ): Promise<CometNetwork> {
    const { of = (genesis) => genesis, further = 0, relayed, worlds = [] } = options;
    const ports = await freePorts(count + further);
    const genesis = of(genesisOf(count));
    const network = new CometNetwork(tempDir(t), binary, ports, { genesis, worlds });
    t.after(() => network.close());
    if (relayed !== undefined) network.wires = await Wires.between(ports);
    network.relayed = relayed;
    await Promise.all(ports.slice(0, count).map((_, index) => network.up(index)));
    return network;
  }

  at(index: number): CometValidator {
    const validator = this.validators[index];
    if (!validator) throw new Error(`${nameOf(index)} is down`);
    return validator;
  }

  /** Starts a validator, or restarts it with its existing database. */
  async up(index: number, keyName = nameOf(index)): Promise<CometValidator> {
    const validator = new CometValidator(this.storePath(index));
    this.validators[index] = validator;
    const peers = this.ports.flatMap((port, other) =>
      other === index
        ? []
        : [`${nodeId(this.homeOf(other))}@127.0.0.1:${this.wires?.port(index, other) ?? port}`],
    );
    await validator.open({
      ...this.worlds[index],
      genesis: this.genesis,
      binary: this.binary,
      home: {
        path: this.homeOf(index),
        p2pAddress: `127.0.0.1:${this.ports[index]}`,
        peers,
        signer: { privateKeyPem: testKey(keyName).privateKeyPem },
        // An idle chain makes no blocks while a test runs.
        times: { commit: 20, emptyBlocks: 600_000 },
      },
      idleBlockTime: 600_000,
      decisionTime: 3_000,
    });
    return validator;
  }

  async down(index: number): Promise<void> {
    const validator = this.at(index);
    this.validators[index] = null;
    await validator.close();
  }

  registration(actorId: string): Submission {
    const key = testKey(actorId);
    const { chainId } = this.genesis;
    const unsigned = registrationOf({ actorId, key }, { nonce: `join-${actorId}`, chainId });
    return submissionOf('registration', signEnvelope(key, unsigned));
  }

  gift(to: string, amount: number, members: JsonObject = {}): Submission {
    return this.intent(OPERATOR, 'transfer', { to, amount }, { members });
  }

  /** @param options.keyName of the key that signs, the actor's name by default */
  intent(
    actorId: string,
    action: string,
    payload: JsonObject,
    { keyName = actorId, members = {} }: { keyName?: string; members?: JsonObject } = {},
  ): Submission {
    const intent = intentOf(actorId, {
      nonce: `nonce-${++this.nonces}`,
      expiresAtHeight: 1_000,
      chainId: this.genesis.chainId,
      action,
      payload,
      ...members,
    });
    return submissionOf('intent', signEnvelope(testKey(keyName), intent));
  }

  /** Cuts the connections of the relayed validator, or joins them again. */
  cut(isCut: boolean): void {
    if (isCut && this.relayed !== undefined) this.wires?.isolate([this.relayed]);
    else this.wires?.mend();
  }

  storePath(index: number): string {
    return join(this.directory, `chain-${index}`);
  }

  /** Deletes the chain of a stopped validator and of its CometBFT. The key and its record of signatures stay. */
  forget(index: number): void {
    rmSync(this.storePath(index), { recursive: true });
    this.forgetEngine(index);
  }

  /** Deletes only CometBFT's part. */
  forgetEngine(index: number): void {
    forgetChain(this.homeOf(index));
  }

  /** The folder of the sockets between a validator and its CometBFT. */
  socketsOf(index: number): string {
    const config = readFileSync(join(this.homeOf(index), 'config', 'config.toml'), 'utf8');
    const [, socket = ''] = /^proxy_app = "unix:\/\/(.*)"$/m.exec(config) ?? [];
    return dirname(socket);
  }

  async close(): Promise<void> {
    await Promise.all(this.validators.map(async (validator) => validator?.close()));
    await this.wires?.close();
  }

  private homeOf(index: number): string {
    return join(this.directory, `engine-${index}`);
  }
}
