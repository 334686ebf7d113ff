/**
 * A follower process that restores a checkpoint and kills itself at step `phase@count` (`-`: never). Arguments:
 * data directory, origin, step. Prints `chunks <count>` found at the start and `follows <height>` once it serves.
 */
import { writeSync } from 'node:fs';
import { NetNode } from '@netd/node';

const [dataDir = '', origin = '', plan = '-'] = process.argv.slice(2);
const [phase, count] = plan.split('@');

// Written synchronously, so that printed lines survive any end of the process.
const say = (line: string): void => void writeSync(1, `${line}\n`);
const steps = new Map<string, number>();

const node = await NetNode.follow({
  dataDir,
  origins: [origin],
  from: 'checkpoint',
  onFallback: (reason) => say(`fallback ${reason}`),
  onRestore: (progress) => {
    if (steps.size === 0) say(`begins ${progress.phase} ${progress.done} ${progress.total}`);
    const step = (steps.get(progress.phase) ?? 0) + 1;
    steps.set(progress.phase, step);
    if (progress.phase === phase && step === Number(count)) process.kill(process.pid, 'SIGKILL');
  },
  onHistory: (from) => {
    if (phase === 'history') process.kill(process.pid, 'SIGKILL');
    if (from === 0) say('whole');
  },
});
say(`follows ${node.chain.height}`);
if (node.store.history().from === 0) say('whole');
