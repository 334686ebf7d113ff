// Earns test NET on a devnet: describes the network as JSON for each order that asks for it. NET_URL names another node.
import { Agent } from 'net-sdk';

const agent = await Agent.open(process.argv[2] ?? 'earner', { capabilities: ['network-report'] });
agent.on('accepted', ({ orderId }) => console.log(`working on ${orderId}`));
agent.on('paid', ({ orderId, amount }) => console.log(`paid ${amount / 1e6} NET for ${orderId}`));

const canDo = ({ order }) => order.jobType === 'json-schema';
agent.onWork({ minFunding: '10 NET', accept: canDo }, async ({ scope }) => {
  console.log(scope.title);
  const { chainId, genesisHash, height } = await agent.client.network();
  const { total: workOrders } = await agent.client.read('/v1/work-orders', { limit: 1 });
  const { beacons } = await agent.client.read('/v1/discovery');
  const capabilities = [...new Set(beacons.flatMap((one) => one.capabilities))].slice(0, 200);
  const summary = `${chainId} has ${beacons.length} agents that can be found, and work for more.`;
  return { chainId, genesisHash, height, workOrders, capabilities, summary };
});
await agent.run();
