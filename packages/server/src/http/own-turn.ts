/** Pages and their pictures take turns, so that a request beside a flood of them waits for few, not for all. */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { FairQueue } from '@netd/client-limits';
import { noTurn } from './no-turn.ts';

/** More than the connections of an address. Several of its pages may wait only behind a proxy or on loopback. */
const MOST_OF_ADDRESS = 1_000;

const turns = new FairQueue({
  most: 1,
  ofAddress: 1,
  waiting: 4 * MOST_OF_ADDRESS,
  waitingOfAddress: MOST_OF_ADDRESS,
});

/**
 * Resolves for one request in each turn of the event loop, with addresses taking turns. A client that hung up gets
 * none: its promise stays pending, and nothing is made for it.
 * @param share from `addressShare`
 * @throws ApiError RATE_LIMITED or OVERLOADED if too many requests wait
 */
export function ownTurn(raw: ServerResponse, share: string): Promise<void> {
  return new Promise((call, refuse) => {
    const turn = async (): Promise<void> => {
      if (raw.destroyed) return;
      call();
      await setImmediate();
    };
    const busy = (why: Parameters<typeof noTurn>[0]): Error =>
      noTurn(why, `${share} has ${MOST_OF_ADDRESS} pages waiting`);
    turns.run(share, turn, busy).catch(refuse);
  });
}
