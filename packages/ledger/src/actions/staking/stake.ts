/**
 * One pool of shares per candidate. Rewards and slashing change it in one write, whatever the number of
 * delegators. A share is worth delegated/shares. Divisions round in favor of the pool, so that it can always
 * pay, and the last share takes the rest.
 */
import { classAccount } from '../../accounting-classes.ts';
import type { DelegatorRecord } from './records.ts';
import type { ValidatorCandidateRecord } from '../operators/records.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';

/** Delegations per actor. Bounds the walk over them. */
export const MAX_DELEGATIONS = 16;
export const MAX_UNBONDINGS = 16;

export const STAKE = classAccount('stake');

const SLASHED_PART = 10;

type Pool = Pick<ValidatorCandidateRecord, 'delegated' | 'shares'>;

/** Returns floor(a · b / c). Intermediate values may exceed the safe integers; the result must not. */
export function mulDiv(a: number, b: number, c: number): number {
  const result = Number((BigInt(a) * BigInt(b)) / BigInt(c));
  if (!Number.isSafeInteger(result)) throw new Error(`${a} · ${b} / ${c} is not a safe integer`);
  return result;
}

/** The first shares of a pool cost one unet each. */
export function sharesFor({ delegated, shares }: Pool, amount: number): number {
  return shares === 0 ? amount : mulDiv(amount, shares, delegated);
}

/** In unet. */
export function worthOf({ delegated, shares }: Pool, held: number): number {
  return held === 0 ? 0 : mulDiv(held, delegated, shares);
}

/**
 * Returns the shares to give up and their payment. Giving up all shares pays their whole worth, which may
 * exceed the request by less than a share.
 * @param amount in unet, at most the worth of `held`; null for everything
 */
export function redeem(
  pool: Pool,
  held: number,
  amount: number | null,
): { shares: number; amount: number } {
  if (amount !== null) {
    const exact = mulDiv(amount, pool.shares, pool.delegated);
    const shares = worthOf(pool, exact) < amount ? exact + 1 : exact;
    if (shares < held) return { shares, amount };
  }
  return { shares: held, amount: worthOf(pool, held) };
}

export function slashOf(amount: number): number {
  return Math.floor(amount / SLASHED_PART);
}

/** Returns the amount left. Each fault takes a tenth, until a tenth is less than a unet. */
export function afterFaults(amount: number, faults: number): number {
  let left = amount;
  for (let i = 0; i < faults && slashOf(left) > 0; i++) left -= slashOf(left);
  return left;
}

export function requireCandidate(
  state: ReadableState,
  validatorId: string,
): ValidatorCandidateRecord {
  const candidate = state.get('validator-candidate', validatorId);
  requireThat(candidate, 'VALIDATOR_UNKNOWN', '/payload/validatorId');
  return candidate;
}

export function delegatorOf(state: ReadableState, actorId: string): DelegatorRecord {
  return state.get('delegator', actorId) ?? { actorId, positions: [], unbondings: 0 };
}

export function putDelegator(
  state: WritableState,
  before: DelegatorRecord,
  after: DelegatorRecord,
): void {
  const { actorId, positions, unbondings } = after;
  count(state, 'delegations', positions.length - before.positions.length);
  count(state, 'delegators', Number(positions.length > 0) - Number(before.positions.length > 0));
  count(state, 'unbondings', unbondings - before.unbondings);
  if (positions.length === 0 && unbondings === 0) state.delete('delegator', actorId);
  else state.put('delegator', actorId, after);
}

/**
 * Returns an actor's delegations and its own bond as an active candidate, in unet. Unbonding stake does not
 * count.
 */
export function stakeOf(state: ReadableState, actorId: string): number {
  const own = state.get('validator-candidate', actorId);
  let stake = own?.active ? own.selfBond : 0;
  for (const { validatorId, shares } of delegatorOf(state, actorId).positions) {
    const pool = state.get('validator-candidate', validatorId);
    if (pool) stake += worthOf(pool, shares);
  }
  return stake;
}
