/** The writer of a simulation: a real chain with its documents and checkpoints. */
import { join } from 'node:path';
import { checkpointFiles } from '@netd/engine';
import { rulesAt } from '@netd/ledger';
import { OPERATOR } from '@netd/ledger/testing';
import type { Genesis } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { ChainHarness, HARNESS_GENESIS, type HarnessOptions } from '../chain-harness.ts';
import type { ManualClock } from '../manual-clock.ts';
import type { NetworkNode, SimulatedAnswer } from './simulated-network.ts';
import { answerFrom } from './simulated-node.ts';
import { SimulatedState } from './simulated-state.ts';

const { rules: _, ...founding } = HARNESS_GENESIS;
const timelock = { heights: 2, milliseconds: 1 };
/** Begins with version 1 of the rules. */
const GENESIS: Genesis = {
  ...founding,
  policy: { ...founding.policy, governance: { ...founding.policy.governance, timelock } },
};

export class SimulatedWriter implements NetworkNode {
  readonly url: string;
  private readonly path: string;
  private readonly clock: ManualClock;
  private harness: ChainHarness | null = null;
  private checkpoints: SimulatedState | null = null;

  /** @param path directory of its database and checkpoints */
  constructor(url: string, path: string, clock: ManualClock) {
    this.url = url;
    this.path = path;
    this.clock = clock;
  }

  get isUp(): boolean {
    return this.harness !== null && !this.harness.crashed;
  }

  get running(): ChainHarness {
    if (!this.harness) throw new Error('the writer is not open');
    return this.harness;
  }

  /** @param losesCheckpoints true to drop its earlier ones */
  async start({
    losesCheckpoints,
    ...options
  }: Omit<HarnessOptions, 'path' | 'clock' | 'genesis'> & {
    losesCheckpoints: boolean;
  }): Promise<void> {
    const { path, clock } = this;
    this.harness = await ChainHarness.open({
      ...options,
      path: join(path, 'writer'),
      clock,
      genesis: GENESIS,
    });
    const { store } = this.harness;
    const directory = join(path, 'checkpoints');
    this.checkpoints = await SimulatedState.open(
      { directory, store, clock, files: checkpointFiles },
      losesCheckpoints,
    );
  }

  answer(path: string): SimulatedAnswer {
    const { store, chain } = this.running;
    const validatorSet = chain.validatorSetAt(0);
    return answerFrom({ store, url: this.url, validatorSet }, path);
  }

  async state(path: string): Promise<SimulatedAnswer | null> {
    const answer = (await this.checkpoints?.answer(path)) ?? null;
    return this.isUp ? answer : null;
  }

  /** The version of the rules of the last block. */
  get rulesVersion(): number {
    const snapshot = this.running.store.snapshot();
    try {
      return rulesAt(snapshot, snapshot.height).version;
    } finally {
      snapshot.close();
    }
  }

  /** Schedules version 2, unless that has happened. A crash may lose it. */
  scheduleRules(ahead: number): void {
    const { running } = this;
    if (this.rulesVersion > 1 || running.store.get('rules-schedule/next')) return;
    const height = running.chain.height + ahead;
    const payload = { version: 2, height, artifactHash: hashOfDigit('a') };
    running.post(running.intent(OPERATOR, 'scheduleRules', payload));
  }

  async close(): Promise<void> {
    await this.checkpoints?.end();
    await this.harness?.close();
  }
}
