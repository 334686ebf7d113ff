/** Integrity checks that a document computes from its own snapshot. */
import { CLASS_NAMES } from '@netd/ledger';
import { blockHash, TOTAL_SUPPLY, verifyCertificate } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { firstHeight } from './first-height.ts';

export const INTEGRITY_CHECKS = {
  'block-hash': 'The header of the newest block hashes to the block hash that is certified.',
  'predecessor-link': 'The block names the hash of its predecessor.',
  'certified-state-root': 'The certificate is for the state root and the height of the header.',
  certificate: 'The votes verify and reach the quorum of the validator set in state.',
  'supply-conserved': 'The accounting classes sum to the whole supply.',
} as const;
type CheckId = keyof typeof INTEGRITY_CHECKS;

export const ChainIntegrity = exactly(
  {
    valid: Type.Boolean(),
    checks: Type.Array(
      exactly({ id: Type.Enum(Object.keys(INTEGRITY_CHECKS) as CheckId[]), pass: Type.Boolean() }),
    ),
  },
  {
    title: 'ChainIntegrity',
    description:
      'Checks of the newest block, made from this snapshot; /v1/conventions says what they are.',
  },
);
export type ChainIntegrity = Static<typeof ChainIntegrity>;

/** Cached, because all documents of a block share the result. */
let latest: { blockHash: string; integrity: ChainIntegrity } | null = null;

export function chainIntegrity(snapshot: Snapshot): ChainIntegrity {
  const named = snapshot.block.certificate.blockHash;
  if (latest?.blockHash !== named) latest = { blockHash: named, integrity: check(snapshot) };
  return latest.integrity;
}

function check(snapshot: Snapshot): ChainIntegrity {
  const { header, certificate } = snapshot.block;
  const set = snapshot.validatorSetAt(header.height);
  const verdict = verifyCertificate(certificate, set, header.validatorSetHash);
  const isFirst = header.height === firstHeight(snapshot);
  const previous = isFirst ? null : snapshot.blockAt(header.height - 1);
  const supply = CLASS_NAMES.reduce((sum, name) => sum + (snapshot.get('supply', name) ?? 0), 0);
  const passes: Record<CheckId, boolean> = {
    'block-hash': blockHash(header) === certificate.blockHash,
    'predecessor-link':
      isFirst || (previous !== null && header.previousBlockHash === blockHash(previous.header)),
    'certified-state-root':
      certificate.stateRoot === header.stateRoot && certificate.height === header.height,
    certificate: verdict.ok,
    'supply-conserved': supply === TOTAL_SUPPLY,
  };
  const checks = Object.entries(passes).map(([id, pass]) => ({ id: id as CheckId, pass }));
  return { valid: checks.every(({ pass }) => pass), checks };
}
