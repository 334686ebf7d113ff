import type { JsonObject } from '@netd/protocol';
import type { Action } from './action.ts';
import { isOver, type Capability } from './capability.ts';
import type { AuthorityRecord } from './chain-records.ts';
import { deadlineBeyond } from './deadline.ts';
import type { Grant, Grants } from './grants.ts';
import { requireThat } from './rule-error.ts';
import type { ReadableState, WritableState } from './state.ts';
import { timerId } from './timer-queue.ts';
import { clearTimer, setTimer } from './timers.ts';

export function effectiveCapabilities(authority: AuthorityRecord, grants: Grants): Capability[] {
  const base = authority.roles.includes('AGENT')
    ? [...grants.base].map((action) => ({ action, agentId: authority.actorId }))
    : [];
  return [...base, ...authority.capabilities];
}

/**
 * True if the authority could use the action now with some payload.
 * @param height the executing height
 */
export function holdsCapability(
  authority: AuthorityRecord,
  action: string,
  height: number,
  grants: Grants,
): boolean {
  if (authority.roles.includes('AGENT') && grants.base.has(action)) return true;
  return authority.capabilities.some(
    (held) => (held.action === action || held.action === '*') && !isOver(held, height),
  );
}

function carriedByRole({ roles }: AuthorityRecord, grant: Grant): boolean {
  return roles.some((role) => role !== 'AGENT' && role !== 'OPERATOR' && grant[role] === 'role');
}

export interface Attempt {
  action: Pick<Action, 'name' | 'agentIdIsTarget' | 'grant'>;
  payload: JsonObject;
  spent: { amount: number; path: string } | null;
  height: number;
}

interface Shortfall {
  code: 'CAPABILITY_EXPIRED' | 'CAPABILITY_AGENT_MISMATCH' | 'CAPABILITY_AMOUNT_EXCEEDED';
  path: string;
  message?: string;
}

/** Refuses unless one capability alone covers the action, its agent, the amount and the height. */
export function requireCapability(authority: AuthorityRecord, attempt: Attempt): void {
  const { name, grant } = attempt.action;
  let first: Shortfall | null = null;
  const covers = (held: Capability): boolean => {
    const shortfall = shortfallOf(held, attempt);
    first ??= shortfall;
    return shortfall === null;
  };
  const isCovered =
    (authority.roles.includes('AGENT') &&
      grant.AGENT === 'base' &&
      covers({ action: name, agentId: authority.actorId })) ||
    carriedByRole(authority, grant) ||
    authority.capabilities.some(
      (held) => (held.action === name || held.action === '*') && covers(held),
    );
  const near = isCovered ? null : (first as Shortfall | null);
  if (near) requireThat(false, near.code, near.path, near.message);
  requireThat(
    isCovered,
    'CAPABILITY_MISSING',
    '/action',
    () => `${authority.actorId} holds none for ${name}`,
  );
}

function shortfallOf(held: Capability, attempt: Attempt): Shortfall | null {
  const { action, payload, spent, height } = attempt;
  if (isOver(held, height)) return { code: 'CAPABILITY_EXPIRED', path: '/action' };
  const actsFor = action.agentIdIsTarget ? undefined : payload['agentId'];
  if (held.agentId !== undefined && actsFor !== undefined && actsFor !== held.agentId) {
    return { code: 'CAPABILITY_AGENT_MISMATCH', path: '/payload/agentId' };
  }
  if (held.maxAmount !== undefined && spent !== null && spent.amount > held.maxAmount) {
    return {
      code: 'CAPABILITY_AMOUNT_EXCEEDED',
      path: spent.path,
      message: `${spent.amount} unet would leave the account, at most ${held.maxAmount} may`,
    };
  }
  return null;
}

export function requireRole(
  authority: AuthorityRecord,
  { name, roles }: Pick<Action, 'name' | 'roles'>,
): void {
  requireThat(
    authority.roles.some((role) => role === 'OPERATOR' || roles.includes(role)),
    'ROLE_MISSING',
    '/action',
    () => `${name} is for ${roles.join(', ') || 'operators'}`,
  );
}

export function requireActive(authority: AuthorityRecord): void {
  requireThat(authority.active, 'AUTHORITY_INACTIVE', '/actorId');
}

function endsOf(authority: AuthorityRecord | undefined): Set<number> {
  return new Set(authority?.capabilities.flatMap(({ expiresAtHeight }) => expiresAtHeight ?? []));
}

const endId = (actorId: string, lastHeight: number): string => `${actorId}/${lastHeight}`;

export function putAuthority(state: WritableState, after: AuthorityRecord): void {
  const { actorId } = after;
  const before = endsOf(state.get('authority', actorId));
  const ends = endsOf(after);
  for (const end of before) {
    if (!ends.has(end)) clearTimer(state, 'expireCapabilities', endId(actorId, end));
  }
  for (const end of ends) {
    if (before.has(end)) continue;
    setTimer(state, 'expireCapabilities', endId(actorId, end), deadlineBeyond(end));
  }
  state.put('authority', actorId, after);
}

export function endAuthority(state: WritableState, authority: AuthorityRecord): void {
  const { actorId } = authority;
  for (const end of endsOf(authority)) {
    clearTimer(state, 'expireCapabilities', endId(actorId, end));
  }
  state.put('authority', actorId, { ...authority, active: false });
}

/**
 * Drops expired capabilities at a renewal, so that the record cannot grow forever. Keeps those whose timer is
 * late.
 */
export function lastingCapabilities(
  state: ReadableState,
  { actorId, capabilities }: AuthorityRecord,
  height: number,
): Capability[] {
  const isTold = (end: number): boolean =>
    !state.get('timer', timerId('expireCapabilities', endId(actorId, end)));
  return capabilities.filter(
    (held) =>
      held.expiresAtHeight === undefined || !isOver(held, height) || !isTold(held.expiresAtHeight),
  );
}

export function capabilitiesEndingAt(
  state: ReadableState,
  subject: string,
): { actorId: string; capabilities: Capability[] } {
  const [actorId = '', end] = subject.split('/');
  const capabilities = state
    .get('authority', actorId)
    ?.capabilities.filter(({ expiresAtHeight }) => expiresAtHeight === Number(end));
  if (!capabilities?.length) throw new Error(`no capability ends with ${subject}`);
  return { actorId, capabilities };
}
