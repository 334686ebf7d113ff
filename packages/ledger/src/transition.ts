import {
  keyMaterialPath,
  type ChainPosition,
  type EncodedEnvelope,
  type ErrorCode,
  type JsonObject,
  type SubmittedKind,
} from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import type { ChainRecord, PolicyRecord } from './chain-records.ts';
import type { EventData } from './event-data.ts';
import type { EventType } from './events.ts';
import type { Grants } from './grants.ts';
import type { NonceReader, NonceWriter } from './replay-protection.ts';
import { requireThat } from './rule-error.ts';
import type { Rules, RulesSpan } from './rules.ts';
import type { ReadableState, WritableState } from './state.ts';

/** All that execution may use besides state and envelope. */
export interface BlockContext {
  /** The executing height: one above the current height. */
  height: number;
  /** Header time in milliseconds. */
  time: number;
  timestamp: string;
  previousBlockHash: string;
}

export interface CheckContext {
  state: ReadableState & NonceReader;
  block: BlockContext;
  chain: ChainRecord;
  policy: PolicyRecord;
  rules: Rules;
  grants: Grants;
  transitionHash: string;
  index: number;
}

export type Emit = <Type extends EventType>(type: Type, data: EventData<Type>) => void;

export interface WriteContext extends CheckContext {
  state: WritableState & NonceWriter;
  emit: Emit;
}

export function positionOf({ block, index }: Pick<CheckContext, 'block' | 'index'>): ChainPosition {
  return { height: block.height, index };
}

export interface SubmittedEnvelope<Envelope = JsonObject> {
  envelope: Envelope;
  /** `signedBytes` may be lazy, because only a second verification needs it. */
  encoded: EncodedEnvelope;
  /**
   * PEM key that has verified the signature; null if not verified yet, or not signed. Execution verifies
   * again if another key is in force. A key that the envelope brings was checked too.
   */
  verifiedWith: string | null;
}

export interface TransitionDefinition<Envelope = JsonObject, Plan = unknown> {
  kind: SubmittedKind;
  name: string;
  summary: string;
  envelope: TSchema;
  errors: readonly ErrorCode[];
  events: readonly EventType[];
  /** Error for an envelope that is already committed; sent with its receipt. */
  duplicate: { code: ErrorCode; path: string };
  check(context: CheckContext, submitted: SubmittedEnvelope<Envelope>): Plan;
  apply(context: WriteContext, envelope: Envelope, plan: Plan): void;
}

export interface Transition extends Omit<TransitionDefinition, 'check' | 'apply'> {
  check(context: CheckContext, submitted: SubmittedEnvelope): unknown;
  apply(context: WriteContext, envelope: JsonObject, plan: unknown): void;
}

/** Adds the refusal of secrets, which every envelope must pass in every engine. */
export function defineTransition<Envelope, Plan>(
  definition: TransitionDefinition<Envelope, Plan>,
): Transition {
  const transition = definition as unknown as Transition;
  return {
    ...transition,
    errors: ['KEY_MATERIAL_REFUSED', ...transition.errors],
    check(context, submitted) {
      requireNoKeyMaterial(submitted.envelope);
      return transition.check(context, submitted);
    },
  };
}

/** @throws RuleError KEY_MATERIAL_REFUSED with the path, never the value */
export function requireNoKeyMaterial(envelope: JsonObject): void {
  const path = keyMaterialPath(envelope);
  requireThat(path === null, 'KEY_MATERIAL_REFUSED', path ?? '');
}

/** A transition that the ledger makes by itself, for example at a deadline. */
export interface SystemTransition extends RulesSpan {
  summary: string;
  events: readonly EventType[];
  /** Must not refuse, because a refusal would fail the block. */
  apply(context: WriteContext, subject: string): void;
}
