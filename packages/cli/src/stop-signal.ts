/** How a service of a command line is stopped: in order at the first Ctrl-C, at once at the second. */
import { EXIT } from './exit-codes.ts';

/**
 * Resolves at the first SIGINT or SIGTERM; the same once more ends the process.
 * @param doing what is done until the end, shown with the signal
 */
export function stopSignal(doing?: string): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      let count = 0;
      // One listener for all of them: what comes while one is taken off and the next put on would be lost.
      process.on(signal, () => {
        if (++count > 1) process.exit(EXIT.interrupted);
        if (doing !== undefined) {
          console.log(`\nStopping: ${doing} (${signal}; once more to stop at once).`);
        }
        resolve();
      });
    }
  });
}
