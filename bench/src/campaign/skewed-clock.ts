/**
 * Loaded into a node before its own code (`--import`): its clock stands wrong now and then, both ways, as NET_CLOCK_PLAN
 * says: pairs of seconds and milliseconds of error, `0.5:3600000,0.8:0`, from SIGUSR2 on: a node that starts with a wrong
 * clock has no earlier reading to hold against it.
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
