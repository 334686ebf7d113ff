import { firstHeightOf, type Genesis, type JsonObject } from '@netd/protocol';
import type { ForkPointFiles } from '../chain/checkpoints.ts';
import { Store } from '../store/store.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { PastState, type TracedTransition, type TriedAction } from './past-state.ts';

export class NotInChainError extends Error {
  override name = 'NotInChainError';
}

export interface ChainPlace {
  path: string;
  states?: readonly ForkPointFiles[];
}

/**
 * Traces a transition, while a node may be running.
 * @throws NotInChainError, InvalidChainError, StateFilesError, HistoryNotHeldError if earlier blocks are
 * missing
 */
export const traceDatabase = (
  place: ChainPlace,
  transitionHash: string,
): Promise<TracedTransition> =>
  lookInto(place, (snapshot, genesis) => {
    const found = snapshot.findTransition(transitionHash);
    if (!found) throw new NotInChainError(`the chain has no transition ${transitionHash}`);
    const state = new PastState(genesis, place.states);
    state.moveTo(found.height - 1, snapshot);
    return state.trace(transitionHash, found, snapshot);
  });

/** Simulates an action, by default after the newest block. */
export const replayDatabase = (
  place: ChainPlace,
  act: { actorId: string; action: string; payload: JsonObject; at?: number },
): Promise<TriedAction> =>
  lookInto(place, (snapshot, genesis) => {
    const { actorId, action, payload, at = snapshot.height } = act;
    if (at > snapshot.height) {
      throw new NotInChainError(`the chain ends at height ${snapshot.height}, before ${at}`);
    }
    const first = firstHeightOf(genesis);
    if (at < first) {
      throw new NotInChainError(
        `the chain begins at height ${first}: what was at height ${at} is in the chain of which it is a fork`,
      );
    }
    const state = new PastState(genesis, place.states);
    state.moveTo(at, snapshot);
    return state.tryAction(actorId, action, payload);
  });

async function lookInto<Result>(
  { path }: ChainPlace,
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
