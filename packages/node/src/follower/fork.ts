/** Two certified blocks of one height, or a certified block that does not follow from its chain: evidence against its validators. */
import { existsSync, readFileSync } from 'node:fs';
import {
  blockHash,
  merkleRoot,
  sha256Hex,
  verifyCertificate,
  type BlockHeader,
  type FinalityCertificate,
  type ValidatorSet,
} from '@netd/protocol';
import type { SourceBlock } from '../verify/block-replay.ts';
import { writeOnce } from '../keys.ts';
import type { Store } from '../store/store.ts';
import type { Origin } from './origin.ts';

export interface CertifiedHeader {
  header: BlockHeader;
  certificate: FinalityCertificate;
}

export interface ForkEvidence {
  schema: 'NET-FORK-EVIDENCE/1';
  chainId: string;
  height: number;
  /** The block of this copy; null where theirs follows it and cannot be replayed. */
  ours: CertifiedHeader | null;
  theirs: CertifiedHeader;
  /** Who told the other one. */
  origin: string;
  reason: string;
  /** RFC 3339, by the clock of this machine. */
  foundAt: string;
}

/** Whether the validators have certified this header. */
export function isCertified({ header, certificate }: CertifiedHeader, set: ValidatorSet): boolean {
  return (
    verifyCertificate(certificate, set, set.validatorSetHash).ok &&
    certificate.height === header.height &&
    certificate.stateRoot === header.stateRoot &&
    certificate.blockHash === blockHash(header)
  );
}

/** Whether the transitions are those of the header: only then it is the header that is wrong, and not who tells it. */
export function hasItsTransitions({ header, transitions }: SourceBlock): boolean {
  return (
    transitions.length === header.transitionCount &&
    merkleRoot(transitions.map(sha256Hex)) === header.transitionsRoot
  );
}

/**
 * The first block of an origin that is another one than ours, or null.
 * @param height where they seem to differ
 * @throws OriginUnavailableError, OriginFaultError
 */
export async function firstOther(
  origin: Origin,
  store: Store,
  height: number,
  signal: AbortSignal,
): Promise<{ ours: CertifiedHeader; theirs: SourceBlock } | null> {
  let same = -1;
  let other = height;
  let found: { ours: CertifiedHeader; theirs: SourceBlock } | null = null;
  while (!found || other - same > 1) {
    const at: number = found ? Math.floor((same + other) / 2) : other;
    const theirs = await origin.block(at, signal);
    const ours = storedBlock(store, at);
    if (ours && ours.certificate.blockHash !== blockHash(theirs.header)) {
      found = { ours, theirs };
      other = at;
    } else {
      if (!found) return null;
      same = at;
    }
  }
  return found;
}

/** A block of this copy; null where it has none of this height, or not yet. */
export function storedBlock(store: Store, height: number): CertifiedHeader | null {
  const snapshot = store.snapshot();
  try {
    return height < snapshot.history.from ? null : snapshot.blockAt(height);
  } finally {
    snapshot.close();
  }
}

export function readEvidence(path: string): ForkEvidence | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ForkEvidence) : null;
}

/** Keeps the first evidence there was. */
export function keepEvidence(path: string, evidence: ForkEvidence): void {
  writeOnce(path, `${JSON.stringify(evidence, null, 2)}\n`, 0o644);
}
