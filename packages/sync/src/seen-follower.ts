/** A follower that the network sees: whatever takes its blocks, with heartbeats beside it. */
import type { Consensus, Following, HealthIssue } from '@netd/engine';
import { Heartbeats, type HeartbeatParts, type PresenceOptions } from './heartbeats.ts';

/** An engine that takes the blocks of other nodes. */
export interface FollowingConsensus extends Consensus {
  /** Whether an origin confirms that this copy is where the chain is, and none that keeps its word says otherwise. */
  readonly isCurrent: boolean;
}

export class SeenFollower implements Consensus {
  private readonly engine: FollowingConsensus;
  private readonly heartbeats: Heartbeats;
  private readonly end = new AbortController();

  constructor(
    engine: FollowingConsensus,
    parts: Pick<HeartbeatParts, 'chain' | 'store' | 'clock' | 'transport'>,
    presence: PresenceOptions,
  ) {
    this.engine = engine;
    this.heartbeats = new Heartbeats(
      {
        ...parts,
        isCurrent: () => engine.isCurrent,
        origins: () => engine.writers,
        signal: this.end.signal,
      },
      presence,
    );
  }

  get writer(): string | null {
    return this.engine.writer;
  }

  get writers(): readonly string[] {
    return this.engine.writers;
  }

  get following(): Following | null {
    return this.engine.following;
  }

  get halted(): boolean {
    return this.engine.halted;
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

  issues(): HealthIssue[] {
    const issues = this.engine.issues();
    const { trouble } = this.heartbeats;
    // A copy that goes no further is not to be seen either.
    if (trouble === null || this.halted) return issues;
    const text = `the network does not see this copy: ${trouble}`;
    return [...issues, { kind: 'not-seen', text }];
  }
}
