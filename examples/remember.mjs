// Counts its runs, on whatever machine: the memory is encrypted, kept in two stores, and committed to the chain.
import { Agent } from 'net-sdk';

const agent = await Agent.open(process.argv[2] ?? 'rememberer');
const runs = (agent.memory.get('runs') ?? 0) + 1;
agent.memory.set('runs', runs);
await agent.memory.commit();
console.log(`run ${runs} is remembered in generation ${agent.memory.generation}`);
await agent.stop();
