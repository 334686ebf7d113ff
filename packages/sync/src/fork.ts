import { existsSync, readFileSync } from 'node:fs';
import { blockHash, compileSchema, firstHeightOf } from '@netd/protocol';
import {
  certificateFault,
  DataDirError,
  type SourceBlock,
  type Store,
  type ValidatorSetAt,
  writeOnce,
} from '@netd/engine';
import { ForkEvidence, type CertifiedHeader } from '@netd/documents';
import type { Origin } from './origin.ts';

const evidenceViolations = compileSchema(ForkEvidence);

export const isCertified = (block: CertifiedHeader, validatorSetAt: ValidatorSetAt): boolean =>
  certificateFault(block, validatorSetAt) === null;

export function signersOfBoth(ours: CertifiedHeader | null, theirs: CertifiedHeader): string[] {
  const signers = new Set(ours?.certificate.votes.map(({ validatorId }) => validatorId));
  const others = theirs.certificate.votes.map(({ validatorId }) => validatorId);
  return others.filter((validatorId) => signers.has(validatorId));
}

/**
 * Returns the first block that differs; null if none does.
 * @param height of a suspected difference
 */
export async function firstOther(
  origin: Origin,
  store: Store,
  height: number,
  signal: AbortSignal,
): Promise<{ ours: CertifiedHeader; theirs: SourceBlock } | null> {
  let same = firstHeightOf(store.genesis() ?? {}) - 1;
  let other = height;
  let found: { ours: CertifiedHeader; theirs: SourceBlock } | null = null;
  while (!found || other - same > 1) {
    const at: number = found ? Math.floor((same + other) / 2) : other;
    const theirs = await origin.block(at, signal);
    const ours = storedBlock(store, at);
    if (ours && blockHash(ours.header) !== blockHash(theirs.header)) {
      found = { ours, theirs };
      other = at;
    } else {
      if (!found) return null;
      same = at;
    }
  }
  return found;
}

/** Returns null if no block of this height is stored. */
export function storedBlock(store: Store, height: number): CertifiedHeader | null {
  const snapshot = store.snapshot();
  try {
    return height < snapshot.history.from ? null : snapshot.blockAt(height);
  } finally {
    snapshot.close();
  }
}

/**
 * Copies fork.json into the database. An operator who has chosen a history removes the file.
 * @throws DataDirError if the file is damaged
 */
export async function openEvidence(path: string, store: Store): Promise<ForkEvidence | null> {
  const evidence = existsSync(path) ? parseEvidence(path, readFileSync(path, 'utf8')) : null;
  await store.keepFork(evidence && JSON.stringify(evidence));
  return evidence;
}

function parseEvidence(path: string, text: string): ForkEvidence {
  try {
    const evidence = JSON.parse(text) as ForkEvidence;
    if (evidenceViolations(evidence) === null) return evidence;
  } catch {}
  throw new DataDirError(
    `${path} is not as a follower wrote it: put it back, or take it away to follow the origins again`,
  );
}

/** Keeps the evidence in the file and in the database, unless there is earlier evidence. */
export async function keepEvidence(
  path: string,
  evidence: ForkEvidence,
  store: Store,
): Promise<void> {
  writeOnce(path, `${JSON.stringify(evidence, null, 2)}\n`, 0o644);
  await openEvidence(path, store);
}
