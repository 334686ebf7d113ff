// Starts two nodes that forked with the same validator key, a follower of the first, and a follower that saw both and halted.
// Prints one JSON line with their addresses. Stops when its standard input ends.
import { once } from 'node:events';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { startFork } from '@netd/testkit/forked-chain';
import { until } from '@netd/protocol/testing';

const ends = [];
const t = { after: (end) => ends.unshift(end) };
const { writer, twin, height } = await startFork(t);
const follower = await startFollower(t, [writer.url]);
await hasReached(follower, writer.node.chain.height);
const halted = await startFollower(t, [writer.url, twin.url]);
await until(() => halted.node.status.halted);
const urls = Object.entries({ writer, twin, follower, halted }).map(([name, { url }]) => [
  name,
  url,
]);
process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(urls), height })}\n`);
await once(process.stdin.resume(), 'end');
for (const end of ends) await end();
