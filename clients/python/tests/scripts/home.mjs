// A JavaScript agent in a home in Valkey that Python shares. It acts once, and stops.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, leasedHome } from '@netd/sdk';
import { valkeyStore } from '@netd/homes';

const { socket, agentId, hash, options } = JSON.parse(readFileSync(0, 'utf8'));
// The command line needs no package.
const call = async (args) =>
  JSON.parse(execFileSync('redis-cli', ['-s', socket, '--json', ...args], { encoding: 'utf8' }));
const home = leasedHome(valkeyStore(call, hash));
const agent = await Agent.open(agentId, { ...options, home, log: false });
agent.memory.set('from', 'node');
const { transitionHash } = await agent.act('faucet', { amount: 1_000 }, { id: 'once' });
await agent.stop();
console.log(JSON.stringify({ transitionHash }));
