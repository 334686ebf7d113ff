/** How a service of a command line is stopped: in order at the first Ctrl-C, at once at the second. */
import { EXIT } from './exit-codes.ts';

/**
 * Resolves at the first SIGINT or SIGTERM; the same once more ends the process.
 * @param doing what is done until the end, shown with the signal
 */
export function stopSignal(doing?: string): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        if (doing !== undefined) {
          console.log(`\nStopping: ${doing} (${signal}; once more to stop at once).`);
        }
        process.once(signal, () => process.exit(EXIT.interrupted));
        resolve();
      });
    }
  });
}
