import { Type } from '@netd/protocol/type';

/** May be 0. Wider than 32 bits, which generated clients must know. */
export const Unet = Type.Integer({
  title: 'Unet',
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In unet; 1 NET is 1,000,000 unet.',
});
