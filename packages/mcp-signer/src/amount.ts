/** Amounts as an owner and a model read them. */
import { UNET_PER_NET } from '@netd/protocol';

/** @returns '1.5 NET': exact, without floating point */
export function netText(unet: number): string {
  const fraction = String(unet % UNET_PER_NET)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(unet / UNET_PER_NET)}${fraction && `.${fraction}`} NET`;
}
