/** Looks back into a data directory: what a committed transition did, and what an action would have come to. */
import type { Genesis, JsonObject } from '@netd/protocol';
import { Store } from '../store/store.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { PastState, type TracedTransition, type TriedAction } from './past-state.ts';

/** What is asked for is not in the chain of this data directory. */
export class NotInChainError extends Error {
  override name = 'NotInChainError';
}

/**
 * A transition of a data directory, executed again on the state before its block; a running node may go on meanwhile.
 * @param path of the database
 * @throws NotInChainError, InvalidChainError, HistoryNotHeldError where its blocks do not begin with genesis
 */
export const traceDatabase = (path: string, transitionHash: string): Promise<TracedTransition> =>
  lookInto(path, (snapshot, genesis) => {
    const found = snapshot.findTransition(transitionHash);
    if (!found) throw new NotInChainError(`the chain has no transition ${transitionHash}`);
    const state = new PastState(genesis);
    state.moveTo(found.height - 1, snapshot);
    return state.trace(transitionHash, found, snapshot);
  });

/**
 * What an action would have come to in the block after a height, the newest one where none is named.
 * @throws as traceDatabase
 */
export const replayDatabase = (
  path: string,
  act: { actorId: string; action: string; payload: JsonObject; at?: number },
): Promise<TriedAction> =>
  lookInto(path, (snapshot, genesis) => {
    const { actorId, action, payload, at = snapshot.height } = act;
    if (at > snapshot.height) {
      throw new NotInChainError(`the chain ends at height ${snapshot.height}, before ${at}`);
    }
    const state = new PastState(genesis);
    state.moveTo(at, snapshot);
    return state.tryAction(actorId, action, payload);
  });

async function lookInto<Result>(
  path: string,
  look: (snapshot: Snapshot, genesis: Genesis) => Result,
): Promise<Result> {
  const store = Store.open(path, { readOnly: true });
  try {
    const genesis = store.genesis();
    if (!genesis) throw new NotInChainError('the database holds no genesis document');
    const snapshot = store.snapshot();
    try {
      return look(snapshot, genesis);
    } finally {
      snapshot.close();
    }
  } finally {
    await store.close();
  }
}
