import { jsonPointer, parseAmount } from '@netd/protocol';
import { shown } from '../option-names.ts';
import { AgentError } from './agent-error.ts';

/**
 * @param amount '1 NET', '0.5NET', '500000 unet', or a number of unet
 * @param name of the argument
 * @throws AgentError AMOUNT_INVALID
 */
export function unetOf(amount: string | number, name: string): number {
  const isUnet = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
  const unet = isUnet ? amount : typeof amount === 'string' ? parseAmount(amount, null) : null;
  if (unet === null) {
    const path = jsonPointer([name]);
    throw new AgentError('AMOUNT_INVALID', `${name}: ${shown(amount)}`, { data: { path } });
  }
  return unet;
}
