/**
 * What an action is: one file that holds its payload schema, who may do it, its rules, its effects, its events and
 * its refusals. `check` refuses and never writes; `apply` writes and cannot refuse. Simulation, admission and
 * execution all run the same two functions.
 */
import { compileSchema, type ErrorCode, type JsonObject, type Violation } from '@netd/protocol';
import type { Static, TObject } from 'typebox';
import type { Role } from './authority.ts';
import type { AuthorityRecord, ChainRecord, PolicyRecord } from './chain-records.ts';
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
  state: ReadableState;
  block: BlockContext;
  chain: ChainRecord;
  policy: PolicyRecord;
  /** Who signed. */
  authority: AuthorityRecord;
  nonce: string;
  transitionHash: string;
  /** Index of the transition in its block. */
  index: number;
}

/** What any transition has to write with, signed or not. */
export interface TransitionContext {
  state: WritableState;
  block: BlockContext;
  policy: PolicyRecord;
  transitionHash: string;
  index: number;
  /** `data` holds ids under their usual member names: events are found by them. */
  emit: (type: string, data: Record<string, unknown>) => void;
}

export interface ApplyContext extends CheckContext, TransitionContext {
  state: WritableState;
}

export interface ActionDefinition<Payload extends TObject = TObject, Plan = unknown> {
  name: string;
  /** One sentence for the documentation. */
  summary: string;
  /** Roles that may do it, whatever their capabilities; OPERATOR always may. */
  roles: readonly Role[];
  payload: Payload;
  /** The payload member that must name the signer, where there is one. */
  actor?: keyof Static<Payload> & string;
  /** Where agentId of the payload names somebody other than the signer, to whom capabilities are not bound. */
  agentIdIsTarget?: true;
  /**
   * Where a chain in open mode takes the bare payload: the member that names who acts. One that the payload schema does
   * not have stands beside the payload and is taken out of it.
   */
  bareActor?: string;
  /** The payload member that capabilities may bound with maxAmount. */
  amount?: keyof Static<Payload> & string;
  /** Refusals of `check`, beyond those every intent can meet. */
  errors: readonly ErrorCode[];
  /** Event types with what each says. */
  events: Readonly<Record<string, string>>;
  /** Refuses by throwing a RuleError; answers what `apply` will need. */
  check(context: CheckContext, payload: Static<Payload>): Plan;
  apply(context: ApplyContext, payload: Static<Payload>, plan: Plan): void;
}

/** A definition with its types forgotten and its schema compiled: what the registry holds. */
export interface Action extends Omit<ActionDefinition, 'actor' | 'amount' | 'check' | 'apply'> {
  actor?: string;
  amount?: string;
  violations(payload: JsonObject): Violation[] | null;
  check(context: CheckContext, payload: JsonObject): unknown;
  apply(context: ApplyContext, payload: JsonObject, plan: unknown): void;
}

export function defineAction<Payload extends TObject, Plan>(
  definition: ActionDefinition<Payload, Plan>,
): Action {
  const violations = compileSchema(definition.payload);
  return { ...(definition as unknown as Action), violations };
}
