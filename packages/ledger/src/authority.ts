/** Whether an authority may do a thing: the capabilities it holds, those its roles carry included. */
import type { JsonObject } from '@netd/protocol';
import type { Action } from './action.ts';
import { hasExpired, type Capability } from './capability.ts';
import type { AuthorityRecord } from './chain-records.ts';
import type { Grant, Grants } from './grants.ts';
import { RuleError } from './rule-error.ts';

/** All capabilities of an authority, those its roles carry included. */
export function effectiveCapabilities(authority: AuthorityRecord, grants: Grants): Capability[] {
  const base = authority.roles.includes('AGENT')
    ? [...grants.base].map((action) => ({ action, agentId: authority.actorId }))
    : [];
  return [...base, ...authority.capabilities];
}

/**
 * Whether the authority could use the action now at all, whatever the payload.
 * @param currentHeight the last committed height
 */
export function holdsCapability(
  authority: AuthorityRecord,
  action: string,
  currentHeight: number,
  grants: Grants,
): boolean {
  if (authority.roles.includes('AGENT') && grants.base.has(action)) return true;
  return authority.capabilities.some(
    (held) => (held.action === action || held.action === '*') && !hasExpired(held, currentHeight),
  );
}

/** Whether a role carries the action by itself, for as long as it is held. */
function carriedByRole({ roles }: AuthorityRecord, grant: Grant): boolean {
  return roles.some((role) => role !== 'AGENT' && role !== 'OPERATOR' && grant[role] === 'role');
}

/** What an authority wants to do. */
export interface Attempt {
  action: Pick<Action, 'name' | 'agentIdIsTarget' | 'grant'>;
  payload: JsonObject;
  /** All that leaves the account, in unet, and the member that says so; null where nothing does. */
  spent: { amount: number; path: string } | null;
  /** The last committed height. */
  currentHeight: number;
}

/**
 * Refuses unless one held capability covers the action, the agent it acts for, the amount and the height.
 * @throws RuleError CAPABILITY_MISSING, CAPABILITY_EXPIRED, CAPABILITY_AGENT_MISMATCH, CAPABILITY_AMOUNT_EXCEEDED
 */
export function requireCapability(authority: AuthorityRecord, attempt: Attempt): void {
  const { action, payload, spent, currentHeight } = attempt;
  const { name, grant } = action;
  const actsFor = action.agentIdIsTarget ? undefined : payload['agentId'];
  let refusal: RuleError | null = null;
  const covers = (held: Capability): boolean => {
    if (hasExpired(held, currentHeight)) {
      refusal ??= new RuleError('CAPABILITY_EXPIRED', { path: '/action' });
      return false;
    }
    if (held.agentId !== undefined && actsFor !== undefined && actsFor !== held.agentId) {
      refusal ??= new RuleError('CAPABILITY_AGENT_MISMATCH', { path: '/payload/agentId' });
      return false;
    }
    if (held.maxAmount !== undefined && spent !== null && spent.amount > held.maxAmount) {
      refusal ??= new RuleError('CAPABILITY_AMOUNT_EXCEEDED', {
        path: spent.path,
        message: `${spent.amount} unet would leave the account, at most ${held.maxAmount} may`,
      });
      return false;
    }
    return true;
  };
  if (authority.roles.includes('AGENT') && grant.AGENT === 'base') {
    if (covers({ action: name, agentId: authority.actorId })) return;
  }
  if (carriedByRole(authority, grant)) return;
  for (const held of authority.capabilities) {
    if ((held.action === name || held.action === '*') && covers(held)) return;
  }
  throw refusal ?? new RuleError('CAPABILITY_MISSING', { path: '/action' });
}

/** @throws RuleError ROLE_MISSING */
export function requireRole(authority: AuthorityRecord, { roles }: Pick<Action, 'roles'>): void {
  if (authority.roles.includes('OPERATOR')) return;
  if (authority.roles.some((role) => roles.includes(role))) return;
  throw new RuleError('ROLE_MISSING', {
    path: '/action',
    message: `is for ${roles.join(', ') || 'operators'}`,
  });
}

/** @throws RuleError AUTHORITY_INACTIVE */
export function requireActive(authority: AuthorityRecord): void {
  if (!authority.active) throw new RuleError('AUTHORITY_INACTIVE', { path: '/actorId' });
}
