/** Most milliseconds that setTimeout takes. */
export const MAX_TIMEOUT = 2_147_483_647;

/**
 * Waits. Never throws.
 * @param kind `isIdle`: does not keep the process alive
 */
export async function pause(
  milliseconds: number,
  signal?: AbortSignal,
  { isIdle = false } = {},
): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    if (isIdle) (timer as { unref?: () => void }).unref?.();
  });
}

/**
 * @param milliseconds Infinity for no bound
 * @param late returns the error of a timeout
 * @throws Error of `late` after that time, or the error of the call
 */
export async function within<Result>(
  milliseconds: number,
  late: () => Error,
  call: Promise<Result>,
): Promise<Result> {
  if (milliseconds > MAX_TIMEOUT) return call;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([call, bound]);
  } finally {
    clearTimeout(timer);
  }
}
