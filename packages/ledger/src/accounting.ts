/**
 * The native currency. All of it exists from genesis, and moves only through `move`, which keeps the class
 * totals.
 */
import { TOTAL_SUPPLY } from '@netd/protocol';
import { CLASS_NAMES, classOf, type AccountingClass } from './accounting-classes.ts';
import { stateKey } from './collections.ts';
import { requireThat } from './rule-error.ts';
import type { StateOverlay, ReadableState, WritableState } from './state.ts';

export function balanceOf(state: ReadableState, accountId: string): number {
  return state.get('account', accountId)?.balance ?? 0;
}

export function requireBalance(
  state: ReadableState,
  accountId: string,
  amount: number,
  path = '/payload/amount',
): void {
  const balance = balanceOf(state, accountId);
  requireThat(
    balance >= amount,
    'INSUFFICIENT_BALANCE',
    path,
    () => `the account holds ${balance} unet`,
  );
}

/** Rejects recipients that could never use the money. */
export function requireRecipient(
  state: ReadableState,
  actorId: string,
  path = '/payload/to',
): void {
  requireThat(state.get('authority', actorId), 'RECIPIENT_UNKNOWN', path);
  requireThat(state.get('agent', actorId)?.status !== 'retired', 'AGENT_RETIRED', path);
  requireThat(!state.get('revocation', actorId), 'AUTHORITY_REVOKED', path);
}

/** Moves unet between accounts. The caller has checked the balance. */
export function move(state: WritableState, from: string, to: string, amount: number): void {
  adjust(state, from, -amount);
  adjust(state, to, amount);
}

function adjust(state: WritableState, accountId: string, change: number): void {
  const account = state.get('account', accountId) ?? {
    accountId,
    balance: 0,
    faucetReceived: 0,
  };
  const balance = account.balance + change;
  if (balance < 0 || !Number.isSafeInteger(balance)) {
    throw new Error(`the balance of ${accountId} would become ${balance}`);
  }
  state.put('account', accountId, { ...account, balance });
  const name = classOf(accountId);
  state.put('supply', name, (state.get('supply', name) ?? 0) + change);
}

/** Stops the block if a rule created or destroyed currency. */
export function checkConservation(state: StateOverlay): void {
  const expected = new Map<AccountingClass, number>();
  let hasMoved = false;
  for (const { key, collection, after: record } of state.writes()) {
    if (collection === 'supply') hasMoved = true;
    if (collection !== 'account') continue;
    const before = (state.original(key) as { balance: number } | undefined)?.balance ?? 0;
    const after = (record as { balance: number } | undefined)?.balance ?? 0;
    if (after < 0) throw new Error(`${key} is negative`);
    const name = classOf(key.slice('account/'.length));
    expected.set(name, (expected.get(name) ?? 0) + after - before);
    hasMoved = true;
  }
  if (!hasMoved) return;
  let total = 0;
  for (const name of CLASS_NAMES) {
    const before = (state.original(stateKey('supply', name)) as number | undefined) ?? 0;
    const after = state.get('supply', name) ?? 0;
    if (after - before !== (expected.get(name) ?? 0)) {
      throw new Error(
        `the class ${name} moved by ${after - before}, its accounts by ${expected.get(name) ?? 0}`,
      );
    }
    total += after;
  }
  if (total !== TOTAL_SUPPLY) throw new Error(`the supply sums to ${total}`);
}
