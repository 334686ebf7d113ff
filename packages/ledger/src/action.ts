/**
 * What an action is: one file that holds its payload schema, who may do it, what it spends, its rules, its effects, its
 * events and its refusals. `check` refuses and never writes; `apply` writes and cannot refuse. Simulation, CometBFT's
 * CheckTx and execution all run the same two functions.
 */
import { compileSchema, type ErrorCode, type JsonObject, type Violation } from '@netd/protocol';
import type { Static, TObject } from '@netd/protocol/type';
import type { SessionRecord } from './actions/sessions/records.ts';
import type { Role } from './capability.ts';
import type { AuthorityRecord, PolicyRecord } from './chain-records.ts';
import type { EventType } from './events.ts';
import type { Grant } from './grants.ts';
import type { CheckContext, WriteContext } from './transition.ts';

/** The context in which an action is checked: the transition, and who signed it. */
export interface ActionContext extends CheckContext {
  authority: AuthorityRecord;
  nonce: string;
  /** The session whose key signed, null for the actor's own. */
  session: SessionRecord | null;
}

export interface ActionWriteContext extends WriteContext {
  authority: AuthorityRecord;
  nonce: string;
}

export interface ActionDefinition<Payload extends TObject = TObject, Plan = unknown> {
  name: string;
  /** One sentence for the documentation. */
  summary: string;
  grant: Grant;
  payload: Payload;
  /** The payload member that must name the signer, where there is one. */
  actor?: keyof Static<Payload> & string;
  /** True if agentId of the payload names another actor than the signer, so that capabilities are not bound to it. */
  agentIdIsTarget?: true;
  /**
   * Where a chain in open mode takes the bare payload: the member that names who acts. One that the payload schema does
   * not have stands beside the payload and is taken out of it.
   */
  bareActor?: string;
  /** Only the actor's own key signs it, no session: it decides about keys, recovery, sessions or capabilities. */
  keyOnly?: true;
  /** All that one execution takes out of the signer's account or has a pool pay it: maxAmount of a capability bounds it. */
  spends?: {
    /** The payload member to name where it is too much. */
    member: keyof Static<Payload> & string;
    /** The amount in unet. */
    amount(payload: Static<Payload>, policy: PolicyRecord): number;
    /** True where a pool pays it and nothing leaves the account: then it counts against no session's budget. */
    ofPool?: true;
  };
  /** Refusals of `check`, beyond those every intent can meet. */
  errors: readonly ErrorCode[];
  events: readonly EventType[];
  /** Refuses by throwing a RuleError; answers what `apply` will need. */
  check(context: ActionContext, payload: Static<Payload>): Plan;
  apply(context: ActionWriteContext, payload: Static<Payload>, plan: Plan): void;
}

/** A definition with its types forgotten: what the registry holds. */
export interface Action extends Omit<ActionDefinition, 'actor' | 'spends' | 'check' | 'apply'> {
  /** Roles that may do it, whatever their capabilities. */
  roles: readonly Role[];
  actor?: string;
  spends?: {
    member: string;
    amount(payload: JsonObject, policy: PolicyRecord): number;
    ofPool?: true;
  };
  violations(payload: JsonObject): Violation[] | null;
  check(context: ActionContext, payload: JsonObject): unknown;
  apply(context: ActionWriteContext, payload: JsonObject, plan: unknown): void;
}

export function defineAction<Payload extends TObject, Plan>(
  definition: ActionDefinition<Payload, Plan>,
): Action {
  const roles = Object.keys(definition.grant) as Role[];
  const violations = compileSchema(definition.payload, { listAll: true });
  return { ...(definition as unknown as Action), roles, violations };
}
