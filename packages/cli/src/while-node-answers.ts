/** Limits waits for a node that went away, because an agent retries forever. */
import type { NetClient } from '@netd/sdk';
import { isConnectionError, UnreachableError } from './command-error.ts';

const LOOK_MILLISECONDS = 2_000;
/** Failed attempts in a row. A restarting node needs fewer. */
const PATIENCE = 6;

export async function whileNodeAnswers<Result>(
  client: NetClient,
  work: Promise<Result>,
): Promise<Result> {
  let failures = 0;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const look = async (): Promise<void> => {
      try {
        await client.network();
        failures = 0;
      } catch (error) {
        failures = isConnectionError(error) ? failures + 1 : 0;
      }
      if (over) return;
      if (failures < PATIENCE) timer = setTimeout(() => void look(), LOOK_MILLISECONDS);
      else {
        const why = `the node at ${client.url} does not answer any more; pending writes are not confirmed yet: run the same command again, they can only happen once`;
        reject(new UnreachableError(why));
      }
    };
    timer = setTimeout(() => void look(), LOOK_MILLISECONDS);
  });
  silence.catch(() => {});
  work.catch(() => {});
  try {
    return await Promise.race([work, silence]);
  } finally {
    over = true;
    clearTimeout(timer);
  }
}
