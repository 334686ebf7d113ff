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
