/**
 * Chains with state to measure on, filled in this process through the node's executor in full blocks. Signatures
 * are not verified, because filling is not measured.
 */
import { cp } from 'node:fs/promises';
import { constants } from 'node:fs';
import { makeSubmission, type Submission } from '@netd/ledger';
import { NetNode, recover } from '@netd/node';
import {
  agentIdOf,
  type BenchAgent,
  CHAIN_ID,
  type Draft,
  makeAgent,
  passiveRegistration,
  registration,
  unsignedIntent,
} from './agents.ts';

/** Envelopes per submission; they fit into one block. */
const BATCH = 4_000;

/** A chain that is being filled. */
export class StateBuilder {
  private readonly node: NetNode;

  private constructor(node: NetNode) {
    this.node = node;
  }

  /**
   * Opens or starts a chain, lets `fill` work on it, and closes it.
   * @returns its last height
   */
  static async build(
    dataDir: string,
    fill: (builder: StateBuilder) => Promise<void>,
  ): Promise<number> {
    const node = await NetNode.start({ dataDir, chainId: CHAIN_ID, blockTime: 1 });
    try {
      await fill(new StateBuilder(node));
      return node.chain.height;
    } finally {
      await node.stop();
    }
  }

  get height(): number {
    return this.node.chain.height;
  }

  /** Registers agents that will sign. */
  async register(agents: readonly BenchAgent[]): Promise<void> {
    await this.submit(agents.length, (index) => {
      const agent = agents[index];
      if (!agent) throw new RangeError(`there is no agent ${index}`);
      return makeSubmission('registration', registration(agent), agent.publicKey);
    });
  }

  /** Registers agents `from` up to (excluding) `until`; those in `acts` can sign later. */
  async registerRange(
    from: number,
    until: number,
    acts: (index: number) => boolean = () => false,
  ): Promise<void> {
    await this.submit(until - from, (offset) => {
      const index = from + offset;
      if (acts(index)) {
        const agent = makeAgent(index);
        return makeSubmission('registration', registration(agent), agent.publicKey);
      }
      const envelope = passiveRegistration(agentIdOf(index));
      return makeSubmission('registration', envelope, envelope.publicKey);
    });
  }

  /** Executes `count` unsigned intents; `make` returns one by index. */
  async execute(
    count: number,
    make: (index: number) => { agent: { agentId: string; publicKey: string }; draft: Draft },
  ): Promise<void> {
    const { height } = this;
    await this.submit(count, (index) => {
      const { agent, draft } = make(index);
      return makeSubmission(
        'intent',
        unsignedIntent(agent.agentId, draft, height),
        agent.publicKey,
      );
    });
  }

  private async submit(count: number, make: (index: number) => Submission): Promise<void> {
    for (let from = 0; from < count; from += BATCH) {
      const results = await Promise.all(
        Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) =>
          this.node.mempool.submit(make(from + offset)),
        ),
      );
      const failed = results.find(({ status }) => status !== 'committed');
      if (failed) throw new Error(`the state could not be filled: ${JSON.stringify(failed)}`);
    }
  }
}

/** Copies the data directory of a stopped node. */
export async function copyState(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  // A node refuses to sign from a copy until its operator confirms that no other process continues it.
  await recover({ dataDir: to, from: [] });
}
