/**
 * Missed blocks and double signing, which only the consensus engine sees. A block states them as system
 * transitions, so replay needs no engine. The validators' signatures vouch for them.
 */
import { validatorSetAt } from './validator-set.ts';
import type { BlockContext } from './transition.ts';
import type { PolicyRecord } from './chain-records.ts';
import type { ReadableState } from './state.ts';

const OBSERVATION_KINDS = ['slashDoubleSigner', 'missBlock'] as const;
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export interface Observation {
  kind: ObservationKind;
  /** Validator id; for a double signing: id/kind of evidence/height of the engine. */
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

export function parseDoubleSigning(subject: string): DoubleSigning | null {
  const [, validatorId = '', kind = '', height = ''] = DOUBLE_SIGNING.exec(subject) ?? [];
  return validatorId === '' ? null : { validatorId, kind, engineHeight: Number(height) };
}

/** True if a block may state this. Each fault of a validator is stated once. */
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
    return state.get('validator-candidate', evidence.validatorId)?.faults === 0;
  }
  const set = validatorSetAt(state, block.height);
  const isMember = set?.validators.some(({ validatorId }) => validatorId === subject) ?? false;
  const liveness = state.get('validator-liveness', subject);
  return isMember && !liveness?.jailedUntil && liveness?.lastMissed !== block.height;
}
