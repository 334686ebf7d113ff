/** Where a reader finds what a document rests on, to check it without trusting the node that answered. */
import Type, { type TProperties } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';

/** @param hashes the fingerprint of the document, where it stands under its evidence */
export function evidenceSchema(hashes: TProperties = {}) {
  return Type.Object(
    {
      block: Type.String(),
      certificate: Type.String(),
      proofs: Type.Array(Type.String(), {
        description: 'Proofs of the records used here, under the state root of the newest block.',
      }),
      verify: Type.String({
        description:
          'How: check the certificate against genesis, then each proof against its root.',
      }),
      ...hashes,
    },
    { additionalProperties: false, description: 'What the facts above rest on.' },
  );
}

const HOW =
  'Take stateRoot from snapshot, check the certificate against the validator set of /v1/genesis, then each proof against its own state root and certificate. npx netd verify --url replays everything.';

/** @param keys of the state records that the document is made of, the most important ones */
export function evidenceOf(snapshot: Snapshot, keys: readonly string[]): object {
  const { header, certificate } = snapshot.block;
  return {
    block: `/v1/blocks/${header.height}`,
    certificate: `/v1/consensus/certificates/${certificate.certificateHash}`,
    proofs: keys.map((key) => `/v1/state/proof?key=${key}`),
    verify: HOW,
  };
}
