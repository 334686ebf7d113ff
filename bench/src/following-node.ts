/** A follower process that reports its catch-up times. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NetNode, type FollowerDir } from '@netd/node';
import type { StartFrom } from '@netd/sync';
import { seconds } from './measure.ts';
import { answerCalls } from './remote-program.ts';

export interface FollowReport {
  /** From an origin's first answer to the end. */
  seconds: number;
  transitions: number;
  /** Of the checkpoint; 0 without one. */
  bytes: number;
  /** 99th percentile of the main thread's event-loop delay, in milliseconds. */
  delay: number;
  /** Seconds by phase of a restore. */
  phases: Record<string, number>;
}

const NANOSECONDS_PER_MILLISECOND = 1e6;

let node: NetNode<FollowerDir> | null = null;

const calls = {
  /** Resolves once the follower has the state of this height. */
  follow: async ({
    dataDir,
    origin,
    from,
    height,
  }: {
    dataDir: string;
    origin: string;
    from: StartFrom;
    height: number;
  }): Promise<FollowReport> => {
    const reached = Promise.withResolvers<void>();
    const report: FollowReport = { seconds: 0, transitions: 0, bytes: 0, delay: 0, phases: {} };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startedAt = performance.now();
    let phaseAt = startedAt;
    let phase = '';
    node = await NetNode.follow({
      dataDir,
      origins: [origin],
      from,
      onProgress: (progress) => {
        report.transitions = progress.transitions;
        if (progress.height >= height) reached.resolve();
      },
      onRestore: (progress) => {
        if (progress.phase === 'chunks') report.bytes = progress.total;
        if (progress.phase !== phase && phase !== '') report.phases[phase] = seconds(phaseAt);
        if (progress.phase !== phase) phaseAt = performance.now();
        ({ phase } = progress);
      },
      onHalt: (error) => reached.reject(error),
    });
    if (node.chain.height >= height) reached.resolve();
    await reached.promise;
    report.seconds = seconds(startedAt);
    report.delay = delay.percentile(99) / NANOSECONDS_PER_MILLISECOND;
    delay.disable();
    return report;
  },

  stop: async (_: null): Promise<void> => {
    await node?.stop();
    node = null;
  },
};

export type FollowingNode = typeof calls;

answerCalls(calls, async () => {
  await node?.stop();
});
