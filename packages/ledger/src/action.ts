/**
 * The definition of an action. `check` may refuse but never writes, and `apply` writes but cannot refuse.
 * Simulation, CometBFT's CheckTx and execution run the same two functions.
 */
import { compileSchema, type ErrorCode, type JsonObject, type Violation } from '@netd/protocol';
import type { Static, TObject } from '@netd/protocol/type';
import type { SessionRecord } from './actions/sessions/records.ts';
import type { Role } from './capability.ts';
import type { AuthorityRecord, PolicyRecord } from './chain-records.ts';
import type { EventType } from './events.ts';
import type { Grant } from './grants.ts';
import type { RulesSpan } from './rules.ts';
import type { CheckContext, WriteContext } from './transition.ts';

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

export interface ActionDefinition<
  Payload extends TObject = TObject,
  Plan = unknown,
> extends RulesSpan {
  name: string;
  summary: string;
  grant: Grant;
  payload: Payload;
  /** Payload member that must name the signer. */
  actor?: keyof Static<Payload> & string;
  /** True if the payload's agentId is not the signer, so capabilities are not bound to it. */
  agentIdIsTarget?: true;
  /** Member of a bare payload (open mode) that names the actor. Removed if the schema lacks it. */
  bareActor?: string;
  /** True if sessions may not sign the action. */
  keyOnly?: true;
  /** Member that lists names of actions. Names unknown to the block's rules are refused. */
  listsActions?: keyof Static<Payload> & string;
  /** Members of the payload that only some versions of the rules have. */
  memberSpans?: { readonly [Member in keyof Static<Payload> & string]?: RulesSpan };
  /** The most that one execution costs the signer or a pool. A capability's maxAmount bounds it. */
  spends?: {
    member: keyof Static<Payload> & string;
    /** In unet. */
    amount(payload: Static<Payload>, policy: PolicyRecord): number;
    /** True if a pool pays, at no cost to a session's budget. */
    ofPool?: true;
  };
  errors: readonly ErrorCode[];
  events: readonly EventType[];
  check(context: ActionContext, payload: Static<Payload>): Plan;
  apply(context: ActionWriteContext, payload: Static<Payload>, plan: Plan): void;
}

export interface Action extends Omit<
  ActionDefinition,
  'actor' | 'listsActions' | 'memberSpans' | 'spends' | 'check' | 'apply'
> {
  roles: readonly Role[];
  memberSpans?: Readonly<Record<string, RulesSpan>>;
  actor?: string;
  listsActions?: string;
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
