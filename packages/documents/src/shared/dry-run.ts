/** Dry runs in the next block. They run the same code as execution. */
import type { BlockExecution, StateReader, TraceOf } from '@netd/ledger';
import type { ErrorCode, JsonObject } from '@netd/protocol';
import { dryExecution, tipOf, type AdmissionFacts, type Snapshot } from '@netd/engine/reads';

export interface Step {
  action: string;
  payload: JsonObject;
}

/**
 * Runs the actions one after another in the earliest possible next block. Returns the first refusal, or null
 * if all pass. Ignores signature, nonce, expiry and due transitions.
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
 * Starts an execution, which must be dropped before the snapshot is closed.
 * @param time milliseconds since 1970; raised if it is not above the predecessor's
 * @param traceOf returns a trace for a transition, or null
 */
export function dryRun(snapshot: Snapshot, time: number, traceOf?: TraceOf): BlockExecution {
  return dryExecution(stateOf(snapshot), tipOf(snapshot.block.header), time, traceOf);
}

/** Returns the network's facts that admission checks need. */
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
