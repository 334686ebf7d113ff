/** Stops a service: in order at the first Ctrl-C, at once at the second. */
import { EXIT } from './exit-codes.ts';

/**
 * Resolves at the first SIGINT or SIGTERM. The same signal again ends the process.
 * @param doing work until the end, printed with the signal
 */
export function stopSignal(doing?: string): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      let count = 0;
      // One permanent listener, because a signal between two listeners would be lost.
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
