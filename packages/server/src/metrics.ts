/** Counters for monitoring. metrics-registry.ts exports them. */
import { DurationHistogram } from './duration-histogram.ts';

export class Metrics {
  /** Last committed height. */
  height = 0;
  /** Blocks and transitions committed since the start. */
  blocks = 0;
  transitions = 0;
  /** Blocks that could not be built or written. */
  writeFailures = 0;
  /** Checkpoints found damaged and recreated. */
  checkpointFaults = 0;
  /** Connections closed because they did not read their answers. */
  slowReaders = 0;
  /** Connections refused because the process has too few open files left. */
  refusedConnections = 0;
  /**
   * True once a write came through a proxy on this machine without --trust-proxy: the node is then open to the
   * world.
   */
  hasUnbelievedProxy = false;
  /** Time from arrival of an envelope to its answer, by outcome. */
  readonly submits = { committed: new DurationHistogram(), refused: new DurationHistogram() };
  /** Refused requests by code: the node's, and those of protocols with their own. */
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
