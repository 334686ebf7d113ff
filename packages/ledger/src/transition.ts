/**
 * What a transition is, of each kind: an intent, a registration, an application, a claim, a bare payload of an
 * open chain, or what falls due by itself. `check` refuses and never writes; `apply` writes and cannot refuse.
 */
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
import type { ReadableState, WritableState } from './state.ts';

/** All that execution may look at besides state and envelope. */
export interface BlockContext {
  /** The executing height; the current height is one less. */
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
  grants: Grants;
  transitionHash: string;
  /** Index of the transition in its block. */
  index: number;
}

export type Emit = <Type extends EventType>(type: Type, data: EventData<Type>) => void;

/** The context in which a transition writes, signed or not. */
export interface WriteContext extends CheckContext {
  state: WritableState & NonceWriter;
  emit: Emit;
}

/** The position of the transition in the chain. */
export function positionOf({ block, index }: Pick<CheckContext, 'block' | 'index'>): ChainPosition {
  return { height: block.height, index };
}

/** An envelope as it came, encoded once, and the key under which its signature was verified already, if any. */
export interface SubmittedEnvelope<Envelope = JsonObject> {
  envelope: Envelope;
  /** `signedBytes` may be made when they are asked for: only who verifies again does. */
  encoded: EncodedEnvelope;
  /**
   * The PEM key under which the signature was verified on arrival (for what brings its own key: that one, found valid
   * too). Execution verifies again where this is not the key in force. Null if it is not verified yet, and for what
   * is not signed.
   */
  verifiedWith: string | null;
}

/** A kind of transition that is sent in an envelope. */
export interface TransitionDefinition<Envelope = JsonObject, Plan = unknown> {
  kind: SubmittedKind;
  name: string;
  /** One sentence for the documentation. */
  summary: string;
  envelope: TSchema;
  /** Refusals of `check`. */
  errors: readonly ErrorCode[];
  /** Beyond those of the action, where the envelope names one. */
  events: readonly EventType[];
  /** The refusal that the sender of an envelope that is committed already gets, beside its receipt. */
  duplicate: { code: ErrorCode; path: string };
  /** Checks who has signed by which key, and all that the envelope claims; answers what `apply` will need. */
  check(context: CheckContext, submitted: SubmittedEnvelope<Envelope>): Plan;
  apply(context: WriteContext, envelope: Envelope, plan: Plan): void;
}

/** A definition with its types forgotten: what the registry holds. */
export interface Transition extends Omit<TransitionDefinition, 'check' | 'apply'> {
  check(context: CheckContext, submitted: SubmittedEnvelope): unknown;
  apply(context: WriteContext, envelope: JsonObject, plan: unknown): void;
}

/** Every envelope passes the refusal of secrets, whatever its kind and whichever engine makes the block. */
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

/** A transition that the ledger makes by itself when a deadline is reached. */
export interface SystemTransition {
  /** One sentence for the documentation. */
  summary: string;
  events: readonly EventType[];
  /** Cannot refuse: a refusal would have no receiver, and the block would not come about. */
  apply(context: WriteContext, subject: string): void;
}
