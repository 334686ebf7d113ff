/** A real chain on a real database in a directory of the test's, with a clock that the test moves. */
import { devnetGenesis, type Submission } from '@netd/ledger';
import { OPERATOR, signEnvelope, submissionOf, testKey } from '@netd/ledger/testing';
import type { Genesis, JsonObject, Receipt } from '@netd/protocol';
import { Chain, type SubmissionResult } from '../chain/chain.ts';
import type { Failpoint } from '../chain/failpoints.ts';
import { SoloSigner } from '../chain/signer.ts';
import { Store, type BlockWrite } from '../store/store.ts';
import { ManualClock } from './manual-clock.ts';

export const RIG_GENESIS: Genesis = devnetGenesis({
  chainId: 'net-test-1',
  genesisTime: '2026-01-01T00:00:00.000Z',
  operator: { actorId: OPERATOR, publicKey: testKey(OPERATOR).publicKey },
  validator: { validatorId: 'validator-1', consensusPublicKey: testKey('validator').publicKey },
});

export interface RigOptions {
  path: string;
  clock?: ManualClock;
  genesis?: Genesis;
  /** Default 100. */
  blockTime?: number;
  /** Default 10,000. */
  idleBlockTime?: number;
  /** Called at every failpoint; what it throws happens there. */
  at?: (name: Failpoint, height: number, rig: ChainRig) => void;
  /** Called when a block has just gone to disk: what it throws is the disk's answer. */
  afterCommit?: (height: number) => void;
}

export class ChainRig {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly genesis: Genesis;
  readonly failures: { error: unknown; height: number }[] = [];
  /** Failpoints reached, as `name@height`. */
  readonly trace: string[] = [];
  private opened: Chain | null = null;
  private writing = 0;
  private nonces = 0;

  private constructor(store: Store, options: RigOptions) {
    this.store = store;
    this.clock = options.clock ?? new ManualClock();
    this.genesis = options.genesis ?? RIG_GENESIS;
    const commit = store.commitBlock.bind(store);
    store.commitBlock = async (block: BlockWrite) => {
      await commit(block);
      options.afterCommit?.(block.header.height);
    };
  }

  static async open(options: RigOptions): Promise<ChainRig> {
    const store = Store.open(options.path, { scratch: true });
    const rig = new ChainRig(store, options);
    try {
      rig.opened = await Chain.open(
        {
          store,
          clock: rig.clock,
          signer: new SoloSigner('validator-1', testKey('validator').privateKeyPem),
          failpoints: { reach: (name, height) => rig.reach(name, height, options) },
          blockTime: options.blockTime ?? 100,
          idleBlockTime: options.idleBlockTime ?? 10_000,
          onBlockFailure: (error, height) => {
            rig.failures.push({ error, height });
            if (rig.writingHeights.delete(height)) rig.writing--;
          },
        },
        rig.genesis,
      );
    } catch (error) {
      await store.close();
      throw error;
    }
    rig.chain.start();
    return rig;
  }

  get chain(): Chain {
    if (!this.opened) throw new Error('the chain is not open');
    return this.opened;
  }

  private readonly writingHeights = new Set<number>();

  private reach(name: Failpoint, height: number, options: RigOptions): void {
    this.trace.push(`${name}@${height}`);
    if (name === 'block.writing') {
      this.writing++;
      this.writingHeights.add(height);
    }
    if (name === 'block.answered' && this.writingHeights.delete(height)) this.writing--;
    options.at?.(name, height, this);
  }

  intent(
    actorId: string,
    action: string,
    payload: JsonObject,
    members: JsonObject & { nonce?: string; expiresAtHeight?: number } = {},
    key = testKey(actorId),
  ): Submission {
    return submissionOf(
      'intent',
      signEnvelope(key, {
        actorId,
        nonce: `nonce-${this.chain.height}-${++this.nonces}`,
        expiresAtHeight: this.chain.height + 100,
        action,
        payload,
        chainId: this.genesis.chainId,
        ...members,
      }),
    );
  }

  registration(actorId: string, members: JsonObject = {}): Submission {
    const key = testKey(actorId);
    return submissionOf(
      'registration',
      signEnvelope(key, {
        actorId,
        publicKey: key.publicKey,
        publicKeyHash: key.publicKeyHash,
        nonce: `join-${actorId}`,
        chainId: this.genesis.chainId,
        ...members,
      }),
    );
  }

  /** A transfer by the operator, who has plenty. */
  gift(to: string, amount = 1, members: JsonObject = {}): Submission {
    return this.intent(OPERATOR, 'transfer', { to, amount }, members);
  }

  submit(...submissions: Submission[]): Promise<SubmissionResult>[] {
    return submissions.map((submission) => this.chain.submit(submission));
  }

  /** Submits without waiting for the answers. */
  post(...submissions: Submission[]): void {
    for (const submission of submissions) void this.chain.submit(submission);
  }

  /** Waits until nothing is left to happen without the clock moving. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.writing > 0 && !this.chain.crashed);
  }

  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.settle();
  }

  /** Submits, lets a block time pass, and answers the receipts. */
  async commit(...submissions: Submission[]): Promise<Receipt[]> {
    const results = this.submit(...submissions);
    await this.settle();
    await this.advance(1_000);
    return (await Promise.all(results)).map(receiptOf);
  }

  /** An agent with all it needs to be paid and to pay. */
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
    await this.chain.stop();
    await this.store.close();
  }
}

/** @throws Error unless it was committed */
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

/** How a submission ended, in a word: committed, unavailable, failed, or the code of the refusal. */
export function verdictOf(result: SubmissionResult): string {
  return result.status === 'refused' ? result.refusal.code : result.status;
}
