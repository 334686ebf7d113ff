import type { StreamResponse, Task } from '@a2a-js/sdk';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { HttpContext } from '../http/context.ts';
import { findTask, hasEnded, type TaskDetail } from './a2a-task.ts';

/**
 * Yields the task, then its changes until it ends or a laboratory takes the order back. Merges changes that
 * come faster than they are sent.
 * @throws TaskNotFoundError
 */
export async function* taskUpdates(
  context: HttpContext,
  orderId: string,
  { signal, detail }: { signal: AbortSignal; detail: TaskDetail },
): AsyncGenerator<StreamResponse, void, undefined> {
  let isNews = false;
  let wake = (): void => {};
  const onNews = (): void => {
    isNews = true;
    wake();
  };
  const { events } = context.node;
  const unsubscribe = events.subscribe({ order: orderId }, (found) => {
    if (found.length > 0) onNews();
  });
  const forgetReturns = events.onReturn(onNews);
  signal.addEventListener('abort', onNews);
  try {
    let last = findTask(context, orderId, detail);
    yield { payload: { $case: 'task', value: last } };
    while (!hasEnded(last)) {
      if (!isNews) await new Promise<void>((resolve) => (wake = resolve));
      if (signal.aborted) return;
      isNews = false;
      const now = taskNow(context, orderId, detail);
      if (now === null) return;
      for (const payload of changes(last, now)) yield { payload };
      last = now;
    }
  } finally {
    unsubscribe();
    forgetReturns();
    signal.removeEventListener('abort', onNews);
  }
}

function taskNow(context: HttpContext, orderId: string, detail: TaskDetail): Task | null {
  try {
    return findTask(context, orderId, detail);
  } catch (error) {
    if (error instanceof TaskNotFoundError) return null;
    throw error;
  }
}

function changes(before: Task, now: Task): NonNullable<StreamResponse['payload']>[] {
  const { id: taskId, contextId, status } = now;
  const found: NonNullable<StreamResponse['payload']>[] = [];
  for (const artifact of now.artifacts) {
    if (before.artifacts.some((known) => isSame(known, artifact))) continue;
    const value = { taskId, contextId, artifact, append: false, lastChunk: true };
    found.push({ $case: 'artifactUpdate', value: { ...value, metadata: undefined } });
  }
  if (!isSame(before.status, status)) {
    const value = { taskId, contextId, status, metadata: now.metadata };
    found.push({ $case: 'statusUpdate', value });
  }
  return found;
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
