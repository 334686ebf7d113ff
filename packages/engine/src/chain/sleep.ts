/** A pause by the clock of the node, which a signal cuts short. */
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
