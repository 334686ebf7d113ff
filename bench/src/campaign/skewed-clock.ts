/**
 * Loaded into a node before its own code (`--import`): its clock stands wrong now and then, both ways, as NET_CLOCK_PLAN
 * says: pairs of seconds after the start and milliseconds of error, `0.5:3600000,0.8:0`.
 */
import { isMainThread } from 'node:worker_threads';

const plan = (process.env['NET_CLOCK_PLAN'] ?? '')
  .split(',')
  .filter((step) => step !== '')
  .map((step) => step.split(':').map(Number))
  .map(([after = 0, error = 0]) => ({ after, error }));

if (isMainThread && plan.length > 0) {
  const now = Date.now.bind(Date);
  const startedAt = performance.now();
  Date.now = () => {
    const passed = (performance.now() - startedAt) / 1_000;
    const step = plan.findLast(({ after }) => passed >= after);
    return now() + (step?.error ?? 0);
  };
}
