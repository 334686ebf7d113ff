import { DurationHistogram } from './duration-histogram.ts';

export class Metrics {
  height = 0;
  blocks = 0;
  transitions = 0;
  writeFailures = 0;
  checkpointFaults = 0;
  /** Closed because they did not read their answers. */
  slowReaders = 0;
  refusedConnections = 0;
  /** A write came through a proxy on this machine without --trust-proxy: the node is then open to the world. */
  hasUnbelievedProxy = false;
  /** From arrival to answer, by outcome. */
  readonly submits = { committed: new DurationHistogram(), refused: new DurationHistogram() };
  /** By code: the node's, and those of protocols with their own. */
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
