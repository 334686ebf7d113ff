/**
 * A process with a dozen signal listeners, like one with a dozen agents. Prints each signal it handles.
 * With the argument `host`, the process itself listens too.
 */
import { onInterrupt } from '../home-node.ts';

const copy = (await import(`${new URL('../home-node.ts', import.meta.url).href}?copy`)) as {
  onInterrupt: typeof onInterrupt;
};
process.on('warning', ({ name }) => console.log(name));
if (process.argv[2] === 'host') {
  // Said once the agents listen again.
  const later = (): unknown => setImmediate(() => setImmediate(() => console.log('host')));
  process.once('SIGTERM', later);
}
for (let i = 0; i < 12; i++) onInterrupt(() => i === 0 && console.log('stop'));
copy.onInterrupt(() => console.log('stop of a copy'));
onInterrupt(() => console.log('stop of one that has left'))();
setInterval(() => {}, 1_000_000);
console.log('ready');
