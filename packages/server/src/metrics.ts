import { DurationHistogram } from './duration-histogram.ts';

export class Metrics {
  height = 0;
  blocks = 0;
  transitions = 0;
  writeFailures = 0;
  checkpointFaults = 0;
  slowReaders = 0;
  refusedConnections = 0;
  /**
   * True if a write came through a local proxy without --trust-proxy. Then the proxy's clients count as
   * local.
   */
  hasUnbelievedProxy = false;
  readonly submits = { committed: new DurationHistogram(), refused: new DurationHistogram() };
  /** Refusals by code of the node, or of the protocol if it has its own. */
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
