/**
 * What only the consensus engine sees: who did not sign, and who signed twice. A block states it in system transitions that
 * follow those that are due, so that executing the block again needs no engine. The validators vouch for it with their
 * signatures; this file says which statements there may be.
 */
import { validatorSetAt } from './validator-set.ts';
import type { BlockContext } from './transition.ts';
import type { PolicyRecord } from './chain-records.ts';
import type { ReadableState } from './state.ts';

const OBSERVATION_KINDS = ['slashDoubleSigner', 'missBlock'] as const;
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export interface Observation {
  kind: ObservationKind;
  /** The validator; for one that has signed twice, its id, the kind of evidence and the height of the engine, with slashes between. */
  subject: string;
}

export const isObservationKind = (kind: unknown): kind is ObservationKind =>
  OBSERVATION_KINDS.includes(kind as ObservationKind);

export interface DoubleSigning {
  validatorId: string;
  kind: string;
  engineHeight: number;
}

const DOUBLE_SIGNING = /^([^/]{1,128})\/(DUPLICATE_VOTE|LIGHT_CLIENT_ATTACK)\/([1-9][0-9]{0,15})$/;

/** Null where the subject is none. */
export function parseDoubleSigning(subject: string): DoubleSigning | null {
  const [, validatorId = '', kind = '', height = ''] = DOUBLE_SIGNING.exec(subject) ?? [];
  return validatorId === '' ? null : { validatorId, kind, engineHeight: Number(height) };
}

/** Whether a block may say this: of a validator, once, and nothing that follows already. */
export function isObservable(
  { kind, subject }: Observation,
  state: ReadableState,
  block: BlockContext,
  policy: PolicyRecord,
): boolean {
  if (!policy.validatorSet) return false;
  if (kind === 'slashDoubleSigner') {
    const evidence = parseDoubleSigning(subject);
    if (!evidence || !Number.isSafeInteger(evidence.engineHeight)) return false;
    // However often it signed twice, it is slashed once, and out for good.
    return state.get('validator-candidate', evidence.validatorId)?.faults === 0;
  }
  const set = validatorSetAt(state, block.height);
  const isMember = set?.validators.some(({ validatorId }) => validatorId === subject) ?? false;
  const liveness = state.get('validator-liveness', subject);
  return isMember && !liveness?.jailedUntil && liveness?.lastMissed !== block.height;
}
