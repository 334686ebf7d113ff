/** Entry point of the house process. Its parent sends it the keys, and it ends when its parent does. */
import { openHouse } from './house.ts';
import type { FromHouse, StartHouse } from './staff.ts';

const end = new AbortController();
// Ctrl-C reaches all processes of the group, but the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => {
  end.abort();
  process.exit(0);
});
process.once('message', (message: StartHouse) => {
  const tell = (what: FromHouse): void => {
    if (process.connected) process.send?.(what, () => {});
  };
  openHouse(message, { tell, signal: end.signal }).catch((error: unknown) => {
    if (end.signal.aborted) return;
    console.error(`netd: the house has stopped: ${(error as Error).stack}`);
    process.exit(1);
  });
});
