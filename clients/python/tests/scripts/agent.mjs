// The JavaScript agent on the files that Python shares: it remembers, does one thing once, and stops when it is told to.
import { Agent } from '@netd/sdk';
import { createInterface } from 'node:readline';

const [agentId, options] = process.argv.slice(2);
const agent = await Agent.open(agentId, { ...JSON.parse(options), log: false });
agent.memory.set('from', 'node');
const { transitionHash } = await agent.act('faucet', { amount: 1_000 }, { id: 'once' });
process.stdout.write(`${JSON.stringify({ transitionHash })}\n`);
for await (const _ of createInterface({ input: process.stdin }));
await agent.stop();
