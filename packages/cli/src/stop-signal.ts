/** Stops a service cleanly at the first Ctrl-C, and at once at the second. */
import { EXIT } from './exit-codes.ts';

/**
 * Resolves at the first SIGINT or SIGTERM. The same signal again ends the process.
 * @param doing work until the end, printed at the first signal
 */
export function stopSignal(doing?: string): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      let count = 0;
      // Keep one permanent listener, because a signal between two listeners would be lost.
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
