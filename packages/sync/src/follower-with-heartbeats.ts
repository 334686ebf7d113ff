import type { Consensus, EngineStatus } from '@netd/engine';
import { Heartbeats, type HeartbeatParts, type PresenceOptions } from './heartbeats.ts';

export class FollowerWithHeartbeats implements Consensus {
  private readonly engine: Consensus;
  private readonly heartbeats: Heartbeats;
  private readonly end = new AbortController();

  constructor(
    engine: Consensus,
    parts: Pick<HeartbeatParts, 'chain' | 'store' | 'clock' | 'transport'>,
    presence: PresenceOptions,
  ) {
    this.engine = engine;
    this.heartbeats = new Heartbeats(
      {
        ...parts,
        isCurrent: () => engine.status.following?.isCurrent === true,
        origins: () => engine.status.writers,
        signal: this.end.signal,
      },
      presence,
    );
  }

  start(): void {
    this.engine.start();
    this.heartbeats.start();
  }

  async stop(): Promise<void> {
    this.end.abort();
    await Promise.all([this.engine.stop(), this.heartbeats.stop()]);
  }

  poll(): void {
    this.engine.poll();
  }

  setOrigins(origins: readonly string[]): void {
    this.engine.setOrigins?.(origins);
  }

  get status(): EngineStatus {
    const { status } = this.engine;
    const { refusedWhy } = this.heartbeats;
    if (refusedWhy === null || status.halted) return status;
    const text = `the network does not see this follower: ${refusedWhy}`;
    return { ...status, issues: [...status.issues, { kind: 'not-seen', text }] };
  }
}
