/** What the node counts for its operator's monitoring. metrics-registry.ts writes it down when it is asked for. */
import { DurationHistogram } from './duration-histogram.ts';

export class Metrics {
  /** Last committed height. */
  height = 0;
  /** Blocks and transitions committed since the start. */
  blocks = 0;
  transitions = 0;
  /** Blocks that could not be built or written. */
  writeFailures = 0;
  /** Checkpoints that were found damaged on disk, removed and made anew. */
  checkpointFaults = 0;
  /** Connections closed because their answers were not taken. */
  slowReaders = 0;
  /** Connections closed at once because there were as many as the files that this process may open allow. */
  refusedConnections = 0;
  /** True once a write came through a proxy on this machine without --trust-proxy: the node is open to the world then. */
  hasUnbelievedProxy = false;
  /** From the arrival of an envelope to its answer, by outcome. */
  readonly submits = { committed: new DurationHistogram(), refused: new DurationHistogram() };
  /** Refused requests by code: those of the table of errors, and of the protocols that have their own. */
  readonly refusals = new Map<string, number>();

  countBlock(height: number, transitions: number): void {
    this.height = height;
    this.blocks += 1;
    this.transitions += transitions;
  }

  countRefusal(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}
