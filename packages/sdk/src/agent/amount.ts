/** Amounts as people write them. */
import { UNET_PER_NET } from '@netd/protocol';
import { AgentError } from './agent-error.ts';

const TEXT = /^(\d{1,10})(?:\.(\d{1,6}))?\s*NET$/i;

/**
 * @param amount '1 NET', '0.5NET' or a whole number of unet
 * @returns unet
 * @throws AgentError AMOUNT_INVALID
 */
export function unetOf(amount: string | number): number {
  if (typeof amount === 'number') {
    if (Number.isSafeInteger(amount) && amount >= 0) return amount;
  } else {
    const [, whole, part = ''] = TEXT.exec(amount.trim()) ?? [];
    if (whole !== undefined) {
      const unet = Number(whole) * UNET_PER_NET + Number(part.padEnd(6, '0'));
      if (Number.isSafeInteger(unet)) return unet;
    }
  }
  throw new AgentError('AMOUNT_INVALID', JSON.stringify(amount));
}
