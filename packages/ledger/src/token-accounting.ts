/**
 * Holdings of a token always sum to its supply. Every change goes through `adjustHolding`, which also counts
 * the holders.
 */
import type { TokenHolderRecord, TokenRecord } from './actions/tokens/records.ts';
import { requireThat } from './rule-error.ts';
import type { ReadableState, StateOverlay, WritableState } from './state.ts';

const holdingId = (tokenId: string, actorId: string): string => `${tokenId}/${actorId}`;

function holdingOf(state: ReadableState, tokenId: string, actorId: string): number {
  return state.get('token-holder', holdingId(tokenId, actorId))?.amount ?? 0;
}

export function requireToken(state: ReadableState, tokenId: string): TokenRecord {
  const token = state.get('token', tokenId);
  requireThat(token, 'TOKEN_UNKNOWN', '/payload/tokenId');
  return token;
}

export function requireHolding(
  state: ReadableState,
  tokenId: string,
  actorId: string,
  amount: number,
): void {
  const held = holdingOf(state, tokenId, actorId);
  requireThat(
    held >= amount,
    'TOKEN_BALANCE_INSUFFICIENT',
    '/payload/amount',
    () => `the actor holds ${held}`,
  );
}

export function issueToken(
  state: WritableState,
  tokenId: string,
  actorId: string,
  amount: number,
): void {
  adjustSupply(state, tokenId, amount);
  adjustHolding(state, tokenId, actorId, amount);
}

export function destroyToken(
  state: WritableState,
  tokenId: string,
  actorId: string,
  amount: number,
): void {
  adjustHolding(state, tokenId, actorId, -amount);
  adjustSupply(state, tokenId, -amount);
}

export function moveToken(
  state: WritableState,
  tokenId: string,
  { from, to, amount }: { from: string; to: string; amount: number },
): void {
  adjustHolding(state, tokenId, from, -amount);
  adjustHolding(state, tokenId, to, amount);
}

function adjustSupply(state: WritableState, tokenId: string, change: number): void {
  const token = requireToken(state, tokenId);
  state.put('token', tokenId, { ...token, supply: token.supply + change });
}

function adjustHolding(
  state: WritableState,
  tokenId: string,
  actorId: string,
  change: number,
): void {
  const id = holdingId(tokenId, actorId);
  const before = state.get('token-holder', id)?.amount ?? 0;
  const amount = before + change;
  if (amount < 0 || !Number.isSafeInteger(amount)) {
    throw new Error(`the holding ${id} would become ${amount}`);
  }
  if (amount === 0) state.delete('token-holder', id);
  else state.put('token-holder', id, { actorId, amount, tokenId });
  const holders = Number(amount > 0) - Number(before > 0);
  if (holders === 0) return;
  const token = requireToken(state, tokenId);
  state.put('token', tokenId, { ...token, holders: token.holders + holders });
}

/** Stops the block if a rule created or destroyed units. */
export function checkTokenConservation(state: StateOverlay): void {
  const moved = new Map<string, { supply: number; holders: number }>();
  const of = (tokenId: string): { supply: number; holders: number } => {
    const known = moved.get(tokenId) ?? { supply: 0, holders: 0 };
    moved.set(tokenId, known);
    return known;
  };
  for (const { key, collection, after: record } of state.writes()) {
    if (collection === 'token') of(key.slice('token/'.length));
    if (collection !== 'token-holder') continue;
    const before = state.original(key) as TokenHolderRecord | undefined;
    const after = record as TokenHolderRecord | undefined;
    const tokenId = (after ?? before)?.tokenId;
    // The holding was created and deleted within this block.
    if (tokenId === undefined) continue;
    const change = of(tokenId);
    // Differences of safe integers are exact, and the cap bounds their sum.
    change.supply += (after?.amount ?? 0) - (before?.amount ?? 0);
    change.holders += Number(after !== undefined) - Number(before !== undefined);
  }
  for (const [tokenId, { supply, holders }] of moved) {
    const before = state.original(`token/${tokenId}`) as TokenRecord | undefined;
    const after = state.get('token', tokenId);
    if (!after) throw new Error(`the token ${tokenId} is gone`);
    if (
      after.supply - (before?.supply ?? 0) !== supply ||
      after.holders - (before?.holders ?? 0) !== holders ||
      after.supply > after.supplyCap
    ) {
      throw new Error(`the supply of ${tokenId} is not what its holders hold`);
    }
  }
}
