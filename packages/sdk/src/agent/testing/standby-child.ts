/**
 * One of two replicas. Waits for its turn, pays once under an id, and prints a line at each step.
 * node standby-child.ts <options as JSON> <failpoint>: kills itself at the failpoint.
 */
import { Agent } from '../agent.ts';

const [options = '{}', failpoint] = process.argv.slice(2);
const agent = await Agent.open('replica', {
  ...(JSON.parse(options) as object),
  standby: true,
  log: (line) => console.log(line),
  reach: (name) => {
    if (name === failpoint) process.kill(process.pid, 'SIGKILL');
  },
});
console.log('active');
const { height } = await agent.act('faucet', { amount: '1 NET' }, { id: 'first' });
console.log(`paid at ${height}`);
// Waits to be killed.
setInterval(() => {}, 60_000);
