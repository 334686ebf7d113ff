/** Amounts as people write and read them: NET with at most six decimals, which are unet inside. */
import { UNET_PER_NET } from '@netd/protocol';

const DECIMALS = 6;

/** An amount for people: `1,234.5 NET`. */
export function net(unet: number): string {
  // Not by division: beyond 2^53 / 10 the last digits would come out wrong.
  const digits = String(Math.abs(unet)).padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${unet < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`} NET`;
}

/**
 * The unet of `5NET`, `0.5 NET`, `500000unet` or, without a unit, of unet.
 * @returns null where it is none of these, or no whole number of unet
 */
export function parseAmount(text: string): number | null {
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?\s*(net|unet)?$/i.exec(text.trim());
  if (!match) return null;
  const [, whole = '', fraction = '', unit = 'unet'] = match;
  const inNet = unit.toLowerCase() === 'net';
  if (fraction.length > (inNet ? DECIMALS : 0)) return null;
  const plain = whole.replaceAll(/,/g, '');
  const unet = inNet
    ? BigInt(plain) * BigInt(UNET_PER_NET) + BigInt(fraction.padEnd(DECIMALS, '0'))
    : BigInt(plain);
  return unet <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(unet) : null;
}
