import type { Clock } from './clock.ts';

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

/** Rejects with the signal's reason once it aborts. */
export function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
