/** The process of the house: takes its keys from the one that started it, and ends with it. */
import { openHouse } from './house.ts';
import type { FromHouse, StartHouse } from './staff.ts';

const end = new AbortController();
// A Ctrl-C reaches every process of the terminal; the one that started this one decides when it ends.
process.on('SIGINT', () => {});
// Also where that one was killed: the channel closes with it.
process.on('disconnect', () => {
  end.abort();
  process.exit(0);
});
process.once('message', (message: StartHouse) => {
  const tell = (what: FromHouse): void => {
    // A parent that is gone before it hears is no error: 'disconnect' ends this process.
    if (process.connected) process.send?.(what, () => {});
  };
  openHouse(message, { tell, signal: end.signal }).catch((error: unknown) => {
    if (end.signal.aborted) return;
    console.error(`netd: the house has stopped: ${(error as Error).stack}`);
    process.exit(1);
  });
});
