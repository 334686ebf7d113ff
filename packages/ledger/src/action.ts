/**
 * The definition of an action, one file each. `check` may refuse but never writes, and `apply` writes but
 * cannot refuse. Simulation, CometBFT's CheckTx and execution run the same two functions.
 */
import { compileSchema, type ErrorCode, type JsonObject, type Violation } from '@netd/protocol';
import type { Static, TObject } from '@netd/protocol/type';
import type { SessionRecord } from './actions/sessions/records.ts';
import type { Role } from './capability.ts';
import type { AuthorityRecord, PolicyRecord } from './chain-records.ts';
import type { EventType } from './events.ts';
import type { Grant } from './grants.ts';
import type { CheckContext, WriteContext } from './transition.ts';

/** The context of an action's check: the transition and its signer. */
export interface ActionContext extends CheckContext {
  authority: AuthorityRecord;
  nonce: string;
  /** The session whose key signed; null if the actor's own key did. */
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
  /** The payload member that must name the signer, if any. */
  actor?: keyof Static<Payload> & string;
  /**
   * True if the payload's agentId names another actor than the signer. Capabilities are then not bound to it.
   */
  agentIdIsTarget?: true;
  /**
   * The member of a bare payload (open mode) that names the actor. If the payload schema lacks it, it is
   * removed before the check.
   */
  bareActor?: string;
  /** True if sessions may not sign it, because it decides about keys, recovery, sessions or capabilities. */
  keyOnly?: true;
  /**
   * The most that one execution takes from the signer's account or from a pool. A capability's maxAmount
   * bounds it.
   */
  spends?: {
    /** The payload member to name in a refusal. */
    member: keyof Static<Payload> & string;
    /** The amount in unet. */
    amount(payload: Static<Payload>, policy: PolicyRecord): number;
    /** True if a pool pays, so that it counts against no session's budget. */
    ofPool?: true;
  };
  /** Refusals of `check`, beyond those that every intent can meet. */
  errors: readonly ErrorCode[];
  events: readonly EventType[];
  /**
   * Returns the plan that `apply` needs.
   * @throws RuleError if a rule refuses
   */
  check(context: ActionContext, payload: Static<Payload>): Plan;
  apply(context: ActionWriteContext, payload: Static<Payload>, plan: Plan): void;
}

/** A definition without its type parameters, as the registry holds it. */
export interface Action extends Omit<ActionDefinition, 'actor' | 'spends' | 'check' | 'apply'> {
  /** Roles that may perform it without a capability. */
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
