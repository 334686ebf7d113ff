/** The owner's spending limits for the model. No tool can change this file. */
import { netText } from '@netd/protocol';
import { SignerError } from './signer-error.ts';

/** In unet. If null, only the session's budget limits the amount. */
export interface Policy {
  perCall: number | null;
  perHour: number | null;
  perDay: number | null;
  total: number | null;
  /** Null permits any recipient. */
  recipients: readonly string[] | null;
  alwaysAsk: readonly string[];
}

export const NO_POLICY: Policy = {
  perCall: null,
  perHour: null,
  perDay: null,
  total: null,
  recipients: null,
  alwaysAsk: [],
};

const HOUR = 3_600_000;

export const SPANS = [
  ['perHour', HOUR, 'in an hour'],
  ['perDay', 24 * HOUR, 'in a day'],
  ['total', Infinity, 'in all'],
] as const;

/**
 * @param spentWithin takes milliseconds and returns unet
 * @throws SignerError POLICY_LIMIT, POLICY_RECIPIENT
 */
export function requireWithinPolicy(
  policy: Policy,
  { amount, counterparty }: { amount: number; counterparty: string | null },
  spentWithin: (milliseconds: number) => number,
): void {
  const { perCall, recipients } = policy;
  if (amount === 0) return;
  if (recipients && (counterparty === null || !recipients.includes(counterparty))) {
    throw new SignerError('POLICY_RECIPIENT');
  }
  if (perCall !== null && amount > perCall) {
    throw new SignerError('POLICY_LIMIT', `${netText(perCall)} a call, ${netText(amount)} asked`);
  }
  for (const [name, span, words] of SPANS) {
    const most = policy[name];
    const spent = spentWithin(span);
    if (most === null || spent + amount <= most) continue;
    const left = netText(Math.max(0, most - spent));
    throw new SignerError('POLICY_LIMIT', `${netText(most)} ${words}, of which ${left} is left`);
  }
}
