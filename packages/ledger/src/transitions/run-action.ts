import { hiddenIn, type ErrorCode, type JsonObject } from '@netd/protocol';
import type { Action, ActionContext, ActionWriteContext } from '../action.ts';
import { actionIn, ACTIONS } from '../actions/registry.ts';
import { requireCapability, requireRole } from '../authority.ts';
import type { SessionRecord } from '../actions/sessions/records.ts';
import { countSpent, requireWithinSession } from '../actions/sessions/session.ts';
import type { AuthorityRecord, PolicyRecord } from '../chain-records.ts';
import { requireThat, violationsBelow } from '../rule-error.ts';
import { requireInRules, type Rules } from '../rules.ts';
import type { CheckContext, WriteContext } from '../transition.ts';

/** Refusals that come before the action's own check, in this order. */
export const ACTION_ERRORS = [
  'CAPABILITY_MISSING',
  'CAPABILITY_EXPIRED',
  'CAPABILITY_AGENT_MISMATCH',
  'CAPABILITY_AMOUNT_EXCEEDED',
  'ROLE_MISSING',
  'PAYLOAD_INVALID',
  'RULES_NOT_ACTIVE',
  'TEXT_HIDDEN',
  'ACTOR_MISMATCH',
] as const satisfies readonly ErrorCode[];

export interface RequestedAction {
  nonce: string;
  action: string;
  payload: JsonObject;
}

export interface CheckedAction {
  action: Action;
  authority: AuthorityRecord;
  nonce: string;
  payload: JsonObject;
  plan: unknown;
  session: SessionRecord | null;
  leaving: number;
}

/**
 * Checks what all kinds of envelopes share.
 * @param session whose key signed, or null
 */
export function checkAction(
  context: CheckContext,
  authority: AuthorityRecord,
  { nonce, action: name, payload }: RequestedAction,
  session: SessionRecord | null = null,
): CheckedAction {
  const action = requireAction(name, context.rules, '/action');
  const violations = action.violations(payload);
  const spent = spentBy(action, payload, context.policy);
  const { height } = context.block;
  requireCapability(authority, { action, payload, spent, height });
  const leaving = action.spends?.ofPool ? null : spent;
  if (session) requireWithinSession(session, action, leaving);
  requireRole(authority, action);
  requireThat(!violations, 'PAYLOAD_INVALID', '/payload', () =>
    violationsBelow('/payload', violations),
  );
  for (const [member, span] of Object.entries(action.memberSpans ?? {})) {
    if (Object.hasOwn(payload, member)) requireInRules(context.rules, span, `/payload/${member}`);
  }
  if (context.rules.atLeast(2)) requireVisibleNames(payload);
  if (action.listsActions !== undefined) {
    // The schema allows the names of every version, so check them here.
    for (const [i, listed] of (payload[action.listsActions] as string[]).entries()) {
      requireAction(listed, context.rules, `/payload/${action.listsActions}/${i}`);
    }
  }
  if (action.actor !== undefined) {
    const named = payload[action.actor];
    requireThat(named === authority.actorId, 'ACTOR_MISMATCH', `/payload/${action.actor}`);
  }
  const asked: ActionContext = {
    state: context.state,
    block: context.block,
    chain: context.chain,
    policy: context.policy,
    rules: context.rules,
    grants: context.grants,
    transitionHash: context.transitionHash,
    index: context.index,
    authority,
    nonce,
    session,
  };
  const plan = action.check(asked, payload);
  return { action, authority, nonce, payload, plan, session, leaving: leaving?.amount ?? 0 };
}

/** Members by which people recognize things. Symbols and ids have patterns. */
const NAMES = ['name', 'title', 'label'] as const;

function requireVisibleNames(payload: JsonObject): void {
  for (const member of NAMES) {
    const text = payload[member];
    if (typeof text !== 'string') continue;
    const fault = hiddenIn(text, false);
    requireThat(fault === null, 'TEXT_HIDDEN', `/payload/${member}`, () => `it ${fault}`);
  }
}

function requireAction(name: string, rules: Rules, path: string): Action {
  const action = actionIn(name, rules);
  const newest = action ? undefined : ACTIONS.get(name);
  if (newest) requireInRules(rules, newest, path);
  requireThat(action, 'ACTION_UNKNOWN', path);
  return action;
}

export function applyAction(
  context: WriteContext,
  { action, authority, nonce, payload, plan, session, leaving }: CheckedAction,
): void {
  const asked: ActionWriteContext = {
    state: context.state,
    block: context.block,
    chain: context.chain,
    policy: context.policy,
    rules: context.rules,
    grants: context.grants,
    transitionHash: context.transitionHash,
    index: context.index,
    emit: context.emit,
    authority,
    nonce,
  };
  action.apply(asked, payload, plan);
  if (session) countSpent(context.state, session, leaving);
}

/** Returns null if the payload has no valid amount; the schema check refuses it later. */
function spentBy(
  { spends }: Action,
  payload: JsonObject,
  policy: PolicyRecord,
): { amount: number; path: string } | null {
  if (!spends) return null;
  const amount = spends.amount(payload, policy);
  return Number.isSafeInteger(amount) ? { amount, path: `/payload/${spends.member}` } : null;
}
