/**
 * A real chain and database in a test directory, on a manual clock. The engine runs in this thread behind a node's
 * usual host.
 */
import { devnetGenesis, type Submission } from '@netd/ledger';
import { OPERATOR, submissionOf } from '@netd/ledger/testing';
import type { Genesis, JsonObject, Receipt } from '@netd/protocol';
import { intentOf, registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import {
  type BlockExecutor,
  type Chain,
  DEFAULT_MEMPOOL_LIMITS,
  EngineHost,
  type Lab,
  LocalEngine,
  Mempool,
  openCertifiedChain,
  openSoloEngine,
  signerWithFailpoints,
  SoloSigner,
  Store,
} from '@netd/engine';
import type {
  BlockWrite,
  Failpoint,
  Signer,
  SoloEngine,
  SubmissionResult,
} from '@netd/engine/testing';
import { ManualClock } from './manual-clock.ts';
import { SimulatedProcess } from './simulated-process.ts';

export const HARNESS_GENESIS: Genesis = devnetGenesis({
  chainId: 'net-test-1',
  genesisTime: '2026-01-01T00:00:00.000Z',
  operator: { actorId: OPERATOR, publicKey: testKey(OPERATOR).publicKey },
  validator: { validatorId: 'validator-1', consensusPublicKey: testKey('validator').publicKey },
});

export interface HarnessOptions {
  path: string;
  clock?: ManualClock;
  genesis?: Genesis;
  /** Default: the only validator of HARNESS_GENESIS. */
  signer?: Signer;
  /** Default 100. */
  blockTime?: number;
  /** Default 10,000. */
  idleBlockTime?: number;
  /** Called at every failpoint; its exception is thrown there. */
  at?: (name: Failpoint, height: number, harness: ChainHarness) => void;
  /** Called after a block reaches the disk; its exception becomes the disk's answer. */
  afterCommit?: (height: number) => void;
}

interface RunningChain {
  chain: Chain;
  mempool: Mempool;
  executor: BlockExecutor;
  host: EngineHost;
}

export class ChainHarness {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly genesis: Genesis;
  readonly failures: { error: unknown; height: number }[] = [];
  /** Reported clock faults; null when the clock is trusted again. */
  readonly clockFaults: (string | null)[] = [];
  halted: unknown = null;
  /** Failpoints reached, as `name@height`. */
  readonly trace: string[] = [];
  private readonly options: HarnessOptions;
  private readonly process: SimulatedProcess;
  private opened: RunningChain | null = null;
  /** Heights whose blocks are being written. */
  private readonly writing = new Set<number>();
  private nonces = 0;

  private constructor(store: Store, options: HarnessOptions) {
    this.store = store;
    this.options = options;
    this.clock = options.clock ?? new ManualClock();
    this.genesis = options.genesis ?? HARNESS_GENESIS;
    this.process = new SimulatedProcess((name, height) => this.reach(name, height));
  }

  static async open(options: HarnessOptions): Promise<ChainHarness> {
    const store = Store.open(options.path, { scratch: true });
    const harness = new ChainHarness(store, options);
    try {
      await harness.start();
    } catch (error) {
      await store.close();
      throw error;
    }
    return harness;
  }

  get chain(): Chain {
    return this.running.chain;
  }

  get executor(): BlockExecutor {
    return this.running.executor;
  }

  get mempool(): Mempool {
    return this.running.mempool;
  }

  /** The lab; only for a laboratory's genesis. */
  get lab(): Lab {
    const { lab } = this.running.host;
    if (!lab) throw new Error('this chain is no laboratory');
    return lab;
  }

  /** True once a test has killed the process. Reopen the database with another harness. */
  get crashed(): boolean {
    return this.process.dead;
  }

  private get running(): RunningChain {
    if (!this.opened) throw new Error('the chain is not open');
    return this.opened;
  }

  private async start(): Promise<void> {
    const { process, store, genesis, options } = this;
    const signer = signerWithFailpoints(
      options.signer ?? new SoloSigner('validator-1', testKey('validator').privateKeyPem),
      process.reach,
    );
    const parts = {
      store,
      genesis,
      signer,
      committer: process.committer({ commitBlocks: (blocks) => this.writeBlocks(blocks) }),
      clock: process.clock(this.clock),
      blockTime: options.blockTime ?? 100,
      idleBlockTime: options.idleBlockTime ?? 10_000,
    };
    const chain = await openCertifiedChain(parts);
    const mempool = new Mempool(DEFAULT_MEMPOOL_LIMITS);
    const laboratory = genesis.laboratory === true ? parts.clock : null;
    const engine = Promise.withResolvers<SoloEngine>();
    const link = new LocalEngine<never>({ head: chain.head }, async (side) => {
      const opened = await openSoloEngine(parts, side);
      engine.resolve(opened);
      return opened;
    });
    const host = new EngineHost({ chain, mempool, store, laboratory }, link, {
      onBlockFailure: (error, height) => {
        if (this.crashed) return;
        this.failures.push({ error, height });
        this.writing.delete(height);
      },
      onStatus: ({ clockFault }) => {
        const last = this.clockFaults.at(-1) ?? null;
        if ((last === null) !== (clockFault === null)) this.clockFaults.push(clockFault);
      },
      onHalt: (error) => {
        if (this.crashed) return;
        this.halted = error;
        this.writing.clear();
      },
    });
    chain.onBlock((height) => process.reach('block.answered', height));
    await host.open();
    const { executor } = await engine.promise;
    this.opened = { chain, mempool, executor, host };
    host.start();
  }

  /** Calls the current store, because tests replace its `commitBlock`. */
  private async writeBlocks(blocks: readonly BlockWrite[]): Promise<void> {
    for (const block of blocks) {
      await this.store.commitBlock(block);
      this.options.afterCommit?.(block.header.height);
    }
  }

  private reach(name: Failpoint, height: number): void {
    this.trace.push(`${name}@${height}`);
    if (name === 'block.writing') this.writing.add(height);
    if (name === 'block.answered') this.writing.delete(height);
    this.options.at?.(name, height, this);
  }

  intent(
    actorId: string,
    action: string,
    payload: JsonObject,
    members: JsonObject & { nonce?: string; expiresAtHeight?: number } = {},
  ): Submission {
    const unsigned = intentOf(actorId, {
      nonce: `nonce-${this.chain.height}-${++this.nonces}`,
      expiresAtHeight: this.chain.height + 100,
      action,
      payload,
      chainId: this.genesis.chainId,
      ...members,
    });
    return submissionOf('intent', signEnvelope(testKey(actorId), unsigned));
  }

  registration(actorId: string, members: JsonObject = {}): Submission {
    const key = testKey(actorId);
    const { chainId } = this.genesis;
    const unsigned = registrationOf(
      { actorId, key },
      { nonce: `join-${actorId}`, chainId, ...members },
    );
    return submissionOf('registration', signEnvelope(key, unsigned));
  }

  /** Transfers from the operator, whose balance is ample. */
  gift(to: string, amount = 1, members: JsonObject = {}): Submission {
    return this.intent(OPERATOR, 'transfer', { to, amount }, members);
  }

  submit(...submissions: Submission[]): Promise<SubmissionResult>[] {
    return submissions.map((submission) =>
      this.process.submit(() => this.mempool.submit(submission)),
    );
  }

  post(...submissions: Submission[]): void {
    void this.submit(...submissions);
  }

  /** Waits until nothing can happen without the clock moving. */
  async settle(): Promise<void> {
    do {
      await turn();
      // Refusals of this turn are answered at its end.
      await turn();
    } while (this.writing.size > 0 && !this.crashed);
  }

  async advance(milliseconds: number): Promise<void> {
    // Deliver submissions to the engine before the clock moves.
    await new Promise((resolve) => process.nextTick(resolve));
    this.clock.advance(milliseconds);
    await this.settle();
  }

  /** Submits, lets one block time pass, and returns the receipts. */
  async commit(...submissions: Submission[]): Promise<Receipt[]> {
    const results = this.submit(...submissions);
    await this.settle();
    await this.advance(1_000);
    return (await Promise.all(results)).map(receiptOf);
  }

  /** Registers agents that can pay and be paid. */
  async join(...actorIds: string[]): Promise<void> {
    await this.commit(...actorIds.map((actorId) => this.registration(actorId)));
    await this.commit(
      ...actorIds.map((agentId) =>
        this.intent(agentId, 'extendAgentCapabilities', {
          agentId,
          actions: ['transfer', 'faucet'],
        }),
      ),
    );
  }

  async close(): Promise<void> {
    if (this.crashed) await this.process.buried();
    else await this.running.host.stop();
    await this.store.close();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @throws Error if it was not committed */
export function receiptOf(result: SubmissionResult): Receipt {
  if (result.status === 'committed') return result.receipt;
  const why =
    result.status === 'refused'
      ? result.refusal.code
      : result.status === 'failed'
        ? String(result.error)
        : '';
  throw new Error(`not committed: ${result.status} ${why}`);
}

/** Returns committed, unavailable, failed, or the refusal's code. */
export function verdictOf(result: SubmissionResult): string {
  return result.status === 'refused' ? result.refusal.code : result.status;
}
