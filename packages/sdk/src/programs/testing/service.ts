/** A paid service. */
import { Agent } from 'net-sdk';
import { counter } from './counter.ts';

const agent = await Agent.open('counter');
await agent.act('faucet', { amount: '5 NET' }, { id: 'start' });
agent.serve(counter);
await agent.run();
