/** The house process. It gets its keys from its parent and ends with it. */
import { openHouse } from './house.ts';
import type { FromHouse, StartHouse } from './staff.ts';

const end = new AbortController();
// Ctrl-C and a service manager reach all processes of a group; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// The channel also closes if the parent is killed.
process.on('disconnect', () => {
  end.abort();
  process.exit(0);
});
process.once('message', (message: StartHouse) => {
  const tell = (what: FromHouse): void => {
    // If the parent is gone, 'disconnect' ends this process.
    if (process.connected) process.send?.(what, () => {});
  };
  openHouse(message, { tell, signal: end.signal }).catch((error: unknown) => {
    if (end.signal.aborted) return;
    console.error(`netd: the house has stopped: ${(error as Error).stack}`);
    process.exit(1);
  });
});
