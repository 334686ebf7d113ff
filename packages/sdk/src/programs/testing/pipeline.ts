/** A pipeline: sold as one service, done by another. */
import { Agent } from 'net-sdk';
import { totaller } from './totaller.ts';

const agent = await Agent.open('totaller');
await agent.act('faucet', { amount: '50 NET' }, { id: 'start' });
agent.serve(totaller);
await agent.run();
