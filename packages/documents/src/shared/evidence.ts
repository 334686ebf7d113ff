/** Which state records a document rests on, to check it without trusting the node that answered. */
import { Type, type TProperties } from '@netd/protocol/type';
import { Link } from './links.ts';

/** @param hashes the fingerprint of the document, where it stands under its evidence */
export function evidenceSchema(hashes: TProperties = {}) {
  return Type.Object(
    {
      proofs: Type.Array(Link),
      ...hashes,
    },
    {
      ...(Object.keys(hashes).length === 0 ? { title: 'Evidence' } : {}),
      additionalProperties: false,
    },
  );
}

/** @param keys of the state records that the document is made of, the most important ones */
export function evidenceOf(keys: readonly string[]): { proofs: string[] } {
  return { proofs: keys.map((key) => `/v1/state/proof?key=${key}`) };
}
