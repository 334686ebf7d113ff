/** A pause by the clock of the node, which a signal cuts short, and the end of other waits by one. */
import type { Clock } from './clock.ts';

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export async function sleep(
  clock: Clock,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** Rejects with the reason of the signal as soon as it is aborted, also where it is by now; for a race. */
export function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
