/**
 * Waits, and no longer than until the signal aborts: it throws nothing then.
 * @param kind isIdle: it does not keep a process alive that has nothing else to do
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
    // Browsers have a number here.
    if (isIdle) (timer as { unref?: () => void }).unref?.();
  });
}

/**
 * Bounds a call, whatever it waits for inside.
 * @param milliseconds Infinity: no bound
 * @throws `late` if it takes longer, and what the call throws
 */
export async function within<Result>(
  milliseconds: number,
  late: Error,
  call: Promise<Result>,
): Promise<Result> {
  // The longest delay that setTimeout takes.
  if (milliseconds > 2_147_483_647) return call;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([call, bound]);
  } finally {
    clearTimeout(timer);
  }
}
