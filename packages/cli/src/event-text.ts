/** One-line text of an event. */
import { netText } from '@netd/protocol';
import { oneLine } from './printable.ts';

/** Event fields in unet. For a custom token, `amount` counts that token's units. */
export const UNET_MEMBERS: ReadonlySet<string> = new Set([
  'amount',
  'bond',
  'bonded',
  'budget',
  'funding',
  'maxAmount',
  'paid',
  'refund',
  'slashed',
  'slashedBond',
  'slashedStake',
  'spent',
  'stakeWeight',
  'toDelegators',
  'toValidator',
  'verificationFee',
  'workerBond',
]);

export function eventFacts({ type, data }: { type: string; data: object }): string {
  const ofToken = type.startsWith('Token');
  return Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const isUnet = typeof value === 'number' && UNET_MEMBERS.has(name) && !ofToken;
      return `${name}=${isUnet ? netText(value).replace(' ', '') : short(value)}`;
    })
    .join(' ');
}

function short(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return oneLine(value.join(','), 80);
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[a-f0-9]{64}$/.test(text) ? `${text.slice(0, 8)}…` : oneLine(text, 80);
}
