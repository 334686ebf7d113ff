// The JavaScript agent on the files that Python shares: `begin` prepares a handover and stops, `finish` goes on with one to its end.
import { Agent } from '@netd/sdk';

const [step, agentId, providerId, runtimeId, options] = process.argv.slice(2);
const agent = await Agent.open(agentId, { ...JSON.parse(options), log: false });
const moving = agent.memory.handOver({ providerId, runtimeId });
if (step === 'begin') {
  const ended = moving.catch((error) => error.name);
  let found = [];
  while (found.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    found = (await agent.client.read('/v1/memory/handovers', { agentId })).handovers;
  }
  await agent.stop();
  console.log(await ended);
} else {
  console.log((await moving).handoverId);
  await agent.stop();
}
