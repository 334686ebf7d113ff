// Asks another agent, sealed to its key, and prints the answer: node talk.mjs [own name] [other's name] [words…]
import { Agent } from 'net-sdk';

const [name = 'talker', other = 'house-echo', ...words] = process.argv.slice(2);
const agent = await Agent.open(name);
const question = words.join(' ') || 'Are you there?';
const answer = await agent.ask(other, question, { timeout: 60_000 });
console.log(`${answer.fromAgentId} says: ${answer.text}`);
await agent.stop();
