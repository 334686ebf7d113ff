import { exactly, Type, type TProperties } from '@netd/protocol/type';
import { Link } from './links.ts';

/** @param hashes the document's fingerprint, if the evidence contains it */
export function evidenceSchema(hashes: TProperties = {}) {
  return exactly(
    {
      proofs: Type.Array(Link),
      ...hashes,
    },
    Object.keys(hashes).length === 0 ? { title: 'Evidence' } : {},
  );
}

/** @param keys state keys of the document's main records */
export function evidenceOf(keys: readonly string[]): { proofs: string[] } {
  return { proofs: keys.map((key) => `/v1/state/proof?key=${key}`) };
}
