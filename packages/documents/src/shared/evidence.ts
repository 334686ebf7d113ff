import { exactly, Type, type TProperties } from '@netd/protocol/type';
import { Link } from './links.ts';

export function evidenceSchema(hashes: TProperties = {}) {
  return exactly(
    {
      proofs: Type.Array(Link),
      ...hashes,
    },
    Object.keys(hashes).length === 0 ? { title: 'Evidence' } : {},
  );
}

export function evidenceOf(keys: readonly string[]): { proofs: string[] } {
  return { proofs: keys.map((key) => `/v1/state/proof?key=${key}`) };
}
