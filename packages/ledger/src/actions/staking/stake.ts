/**
 * Delegated stake as shares of a pool, one pool for each validator candidate: rewards raise and evidence lowers what
 * the pool holds, at the cost of one write, however many delegate. A share is worth delegated/shares; every division
 * rounds in favour of the pool, so that it can always pay, and the last share takes what is left.
 */
import { classAccount } from '../../accounting-classes.ts';
import type { DelegatorRecord } from './records.ts';
import type { ValidatorCandidateRecord } from '../operators/records.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';

/** Candidates an actor may delegate to: what it has at stake is read by walking them. */
export const MAX_DELEGATIONS = 16;
/** Unbondings of an actor that wait for their release. */
export const MAX_UNBONDINGS = 16;

export const STAKE = classAccount('stake');

/** The divisor for one fault, which costs a tenth of what is at stake. */
const SLASHED_PART = 10;

type Pool = Pick<ValidatorCandidateRecord, 'delegated' | 'shares'>;

/** floor(a · b / c), exact beyond the safe integers; the result must be one. */
export function mulDiv(a: number, b: number, c: number): number {
  const result = Number((BigInt(a) * BigInt(b)) / BigInt(c));
  if (!Number.isSafeInteger(result)) throw new Error(`${a} · ${b} / ${c} is not a safe integer`);
  return result;
}

/** The shares that an amount buys: the first ones at one unet each. */
export function sharesFor({ delegated, shares }: Pool, amount: number): number {
  return shares === 0 ? amount : mulDiv(amount, shares, delegated);
}

/** The present worth of shares, in unet. */
export function worthOf({ delegated, shares }: Pool, held: number): number {
  return held === 0 ? 0 : mulDiv(held, delegated, shares);
}

/**
 * The shares to give up for an amount, and what they bring. A delegator that gives up all its shares gets all of its
 * worth, which may be more than it asked for by less than a share.
 * @param amount in unet, at most the worth of what is held; null for everything
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

/** The part of an amount that one fault takes. */
export function slashOf(amount: number): number {
  return Math.floor(amount / SLASHED_PART);
}

/** The rest of an amount after some faults: each takes a tenth of the rest, until that is less than a unet. */
export function afterFaults(amount: number, faults: number): number {
  let left = amount;
  for (let i = 0; i < faults && slashOf(left) > 0; i++) left -= slashOf(left);
  return left;
}

/** @throws RuleError VALIDATOR_UNKNOWN */
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

/** Puts the record of a delegator with the counts that are kept beside it; an empty one goes. */
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
 * What an actor has bonded now, in unet: its delegations at their worth and its own bond as a validator candidate.
 * What it has undelegated, and the bond of a candidate that was revoked, are on their way back and do not count.
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
