/**
 * Preloaded into a node (`--import`) to skew its clock by NET_CLOCK_PLAN: pairs of seconds and milliseconds of
 * error, such as `0.5:3600000,0.8:0`. Starts on SIGUSR2, because a starting node has no earlier reading to compare
 * with.
 */
import { isMainThread } from 'node:worker_threads';

const plan = (process.env['NET_CLOCK_PLAN'] ?? '')
  .split(',')
  .filter((step) => step !== '')
  .map((step) => step.split(':').map(Number))
  .map(([after = 0, error = 0]) => ({ after, error }));

if (isMainThread && plan.length > 0) {
  const now = Date.now.bind(Date);
  let startedAt: number | null = null;
  process.on('SIGUSR2', () => {
    startedAt ??= performance.now();
  });
  Date.now = () => {
    const passed = startedAt === null ? 0 : (performance.now() - startedAt) / 1_000;
    const step = plan.findLast(({ after }) => passed >= after);
    return now() + (step?.error ?? 0);
  };
}
