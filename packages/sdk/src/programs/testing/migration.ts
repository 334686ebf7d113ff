/** A move: `leave` gives the memory to the runtime of a provider, and `arrive` continues there. */
import { Agent } from 'net-sdk';

const target = { providerId: 'harbour', runtimeId: 'harbour-1' };
if (process.argv[2] === 'leave') {
  const agent = await Agent.open('mover');
  if (agent.memory.get('cargo') === undefined) agent.memory.set('cargo', ['tea', 'silk']);
  try {
    const { generation } = await agent.memory.handOver(target);
    console.log(JSON.stringify({ generation }));
  } finally {
    await agent.stop();
  }
} else {
  const agent = await Agent.open('mover', { runtime: target.runtimeId });
  const cargo = agent.memory.get('cargo');
  agent.memory.set('arrived', true);
  await agent.memory.commit();
  const { generation } = agent.memory;
  await agent.stop();
  console.log(JSON.stringify({ cargo, generation }));
}
