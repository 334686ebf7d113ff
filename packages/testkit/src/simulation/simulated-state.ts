/** A simulated node's checkpoints: real ones, from its own files. */
import { rmSync } from 'node:fs';
import { Checkpoints } from '@netd/engine';
import type { CheckpointOptions } from '@netd/engine/testing';
import type { SimulatedAnswer } from './simulated-network.ts';

export class SimulatedState {
  private readonly checkpoints: Checkpoints;

  private constructor(checkpoints: Checkpoints) {
    this.checkpoints = checkpoints;
  }

  /** @param isLost true to drop existing checkpoints */
  static async open(
    options: Omit<CheckpointOptions, 'onDamage'>,
    isLost: boolean,
  ): Promise<SimulatedState> {
    if (isLost) rmSync(options.directory, { recursive: true, force: true });
    return new SimulatedState(await Checkpoints.open({ ...options, onDamage: () => {} }));
  }

  /** @throws the disk's error while a checkpoint is made */
  async answer(path: string): Promise<SimulatedAnswer> {
    const { checkpoints } = this;
    const { pathname, searchParams } = new URL(path, 'http://node');
    const [, index] = /^\/v1\/state\/chunks\/(\d+)$/.exec(pathname) ?? [];
    if (index === undefined) {
      const checkpoint = await checkpoints.latest();
      return checkpoint ? found(checkpoint) : { status: 503, text: '{}' };
    }
    const checkpoint = checkpoints.find(searchParams.get('checkpoint') ?? '');
    const chunk = checkpoint && (await checkpoints.chunk(checkpoint, Number(index)));
    return chunk ? found(chunk) : { status: 404, text: '{}' };
  }

  /** Waits for a pending checkpoint. */
  async end(): Promise<void> {
    await this.checkpoints.settle();
  }
}

const found = (document: object): SimulatedAnswer => ({
  status: 200,
  text: JSON.stringify(document),
});
