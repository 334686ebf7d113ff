/** What the rules of the ledger would say to an action in the next block: the code that execution runs, on a snapshot. */
import type { BlockExecution, StateReader, TraceOf } from '@netd/ledger';
import type { ErrorCode, JsonObject } from '@netd/protocol';
import { dryExecution, tipOf, type AdmissionFacts, type Snapshot } from '@netd/engine/reads';

export interface Step {
  action: string;
  payload: JsonObject;
}

/**
 * The code that refuses the first of these actions that the actor could not do in the next block at its earliest, each
 * after those before it; null where nothing refuses any. Signature, nonce and expiry are not looked at, nor what falls
 * due when that block opens.
 */
export function refusalOf(
  snapshot: Snapshot,
  actorId: string,
  ...steps: readonly Step[]
): ErrorCode | null {
  const execution = dryRun(snapshot, 0);
  for (const { action, payload } of steps) {
    const outcome = execution.tryAction(actorId, action, payload);
    if (!outcome.ok) return outcome.refusal.code;
  }
  return null;
}

/**
 * An execution after the block of a snapshot, for a look at what an envelope would do; what is due is left alone. It is to be
 * dropped before the snapshot is closed.
 * @param time milliseconds since 1970; that of the block is later than its predecessor's
 * @param traceOf asked of what is tried, whether it is to be traced
 */
export function dryRun(snapshot: Snapshot, time: number, traceOf?: TraceOf): BlockExecution {
  return dryExecution(stateOf(snapshot), tipOf(snapshot.block.header), time, traceOf);
}

/** What the admission table asks of the chain. */
export function admissionFacts(snapshot: Snapshot): AdmissionFacts {
  const { validatorSet } = snapshot.get('policy', 'limits') ?? {};
  return {
    state: stateOf(snapshot),
    fixedValidators: validatorSet ? 0 : snapshot.validatorSetAt(snapshot.height).validators.length,
  };
}

function stateOf(snapshot: Snapshot): StateReader {
  return {
    get: (key) => {
      const text = snapshot.stateText(key);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    due: () => [],
    spentNonceExpiry: (nonceHash) => snapshot.spentNonceExpiry(nonceHash),
  };
}
