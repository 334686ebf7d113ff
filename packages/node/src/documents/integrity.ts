/** What a document can check of the chain it stands on, from its own snapshot: a few hashes and one certificate. */
import { CLASS_NAMES } from '@netd/ledger';
import { blockHash, TOTAL_SUPPLY, verifyCertificate } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';

const Check = Type.Object(
  {
    id: Type.Enum([
      'block-hash',
      'predecessor-link',
      'certified-state-root',
      'certificate',
      'supply-conserved',
    ]),
    pass: Type.Boolean(),
    detail: Type.String(),
  },
  { additionalProperties: false },
);

export const ChainIntegrity = Type.Object(
  {
    valid: Type.Boolean({ description: 'All checks pass.' }),
    checks: Type.Array(Check),
    report: Type.String({ description: 'How far the whole chain has been verified by this node.' }),
    replay: Type.String({ description: 'How to check every byte from genesis yourself.' }),
  },
  {
    additionalProperties: false,
    description: 'Checks of the newest block, made from this snapshot.',
  },
);
export type ChainIntegrity = Static<typeof ChainIntegrity>;

/** The last one made: all documents of a height share it. A hash names its block, so it stays true. */
let latest: { blockHash: string; integrity: ChainIntegrity } | null = null;

export function chainIntegrity(snapshot: Snapshot): ChainIntegrity {
  const named = snapshot.block.certificate.blockHash;
  if (latest?.blockHash !== named) latest = { blockHash: named, integrity: check(snapshot) };
  return latest.integrity;
}

function check(snapshot: Snapshot): ChainIntegrity {
  const { header, certificate } = snapshot.block;
  const set = snapshot.validatorSet();
  const verdict = verifyCertificate(certificate, set, header.validatorSetHash);
  const previous = header.height > 0 ? snapshot.blockAt(header.height - 1) : null;
  const supply = CLASS_NAMES.reduce((sum, name) => sum + (snapshot.get('supply', name) ?? 0), 0);
  const checks: ChainIntegrity['checks'] = [
    {
      id: 'block-hash',
      pass: blockHash(header) === certificate.blockHash,
      detail: `The header of block ${header.height} hashes to the block hash that is certified.`,
    },
    {
      id: 'predecessor-link',
      pass: header.height === 0 || header.previousBlockHash === previous?.certificate.blockHash,
      detail: 'The block names the hash of its predecessor.',
    },
    {
      id: 'certified-state-root',
      pass: certificate.stateRoot === header.stateRoot && certificate.height === header.height,
      detail: 'The certificate is for the state root and the height of the header.',
    },
    {
      id: 'certificate',
      pass: verdict.ok,
      detail: verdict.ok
        ? 'The votes verify and reach the quorum of the validator set in state.'
        : verdict.reason,
    },
    {
      id: 'supply-conserved',
      pass: supply === TOTAL_SUPPLY,
      detail: 'The accounting classes sum to the whole supply.',
    },
  ];
  return {
    valid: checks.every(({ pass }) => pass),
    checks,
    report: '/v1/chain/verify',
    replay: 'npx netd verify --url <base url>',
  };
}
