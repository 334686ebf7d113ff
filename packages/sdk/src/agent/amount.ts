import { parseAmount } from '@netd/protocol';
import { AgentError } from './agent-error.ts';

/**
 * @param amount '1 NET', '0.5NET', '500000 unet', or a number of unet
 * @throws AgentError AMOUNT_INVALID
 */
export function unetOf(amount: string | number): number {
  const isUnet = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
  const unet = isUnet ? amount : typeof amount === 'string' ? parseAmount(amount, null) : null;
  if (unet === null) throw new AgentError('AMOUNT_INVALID', JSON.stringify(amount));
  return unet;
}
