// Two nodes with one validator key that have gone different ways, a copy of the first, and one that has seen both and has
// halted. One JSON line with their addresses; it ends with its standard input.
import { once } from 'node:events';
import { hasReached, startCopy } from '@netd/testkit/copy';
import { startFork } from '@netd/testkit/forked-chain';
import { until } from '@netd/protocol/testing';

const ends = [];
const t = { after: (end) => ends.unshift(end) };
const { writer, twin, height } = await startFork(t);
const copy = await startCopy(t, [writer.url]);
await hasReached(copy, writer.node.chain.height);
const halted = await startCopy(t, [writer.url, twin.url]);
await until(() => halted.node.halted);
const urls = Object.entries({ writer, twin, copy, halted }).map(([name, { url }]) => [name, url]);
process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(urls), height })}\n`);
await once(process.stdin.resume(), 'end');
for (const end of ends) await end();
