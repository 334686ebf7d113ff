/**
 * Binds a validator's key to one directory. A copy has an older record of signatures and would vote against
 * the original.
 */
import { existsSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DataDirError } from '../../data-dir-error.ts';
import { replaceFile } from '../../durable-file.ts';
import { fileIdentityOf, type FileIdentity } from '../../file-identity.ts';
import { beginRecord, readRecord } from './cometbft-home.ts';

const SCHEMA = 'NET-SIGNING-PLACE/1';

/** `home` is relative to the file. */
type Place = FileIdentity & { schema: typeof SCHEMA; home: string };

const ONE_PLACE =
  'One key must never sign in two places: its votes would contradict each other, and that is punished';
const ONLY_HERE =
  'if the original has stopped for good and its last signatures came along, say --only-here once';

/** Binds the key to this directory, and begins its record of signatures if there is none. */
export function beginSigningPlace(path: string, home: string): void {
  beginRecord(home);
  const seen = relative(dirname(path), home);
  const content = (file: number): Buffer => {
    const identity = fileIdentityOf(fstatSync(file, { bigint: true }));
    return Buffer.from(
      `${JSON.stringify({ schema: SCHEMA, home: seen, ...identity } satisfies Place)}\n`,
    );
  };
  replaceFile(path, content, 0o600);
}

/**
 * Requires that the key signs here only. A key without any record is refused, because it may have signed.
 * @param isOnlyPlace the operator asserts that the key signs nowhere else from now on
 * @throws DataDirError if the key belongs to another place; CometbftHomeError if the record of the last
 * signature is lost
 */
export function requireSigningPlace(path: string, home: string, isOnlyPlace: boolean): void {
  const found = existsSync(path) ? readPlace(path) : null;
  if (found && !isOnlyPlace) requireThisPlace(path, home, found);
  const height = readRecord(home, found !== null);
  if (!found && height === 0) {
    throw new DataDirError(
      `the key of this validator is here without its record (${path}, and in ${join(home, 'data')}), so it may have signed before. If its disk was lost, run netd recover --validator --from URL,URL. If it has signed nothing on this chain, say netd recover --validator --as-is`,
    );
  }
  if (!found && !isOnlyPlace) {
    throw new DataDirError(
      `${path} is missing, and this key has signed up to height ${height} of CometBFT: these files are a copy. ${ONE_PLACE}: ${ONLY_HERE}`,
    );
  }
  if (isOnlyPlace) beginSigningPlace(path, home);
}

function requireThisPlace(path: string, home: string, found: ReturnType<typeof readPlace>): void {
  if (found === 'damaged') {
    throw new DataDirError(
      `${path} is damaged. It records the place in which this key signs: ${ONLY_HERE}`,
    );
  }
  if (found.home !== relative(dirname(path), home)) {
    throw new DataDirError(
      `this key has signed with its engine in ${join(dirname(path), found.home)}, which has the record of that, and not in ${home}: name the first directory with --engine-home, or move it there and say --only-here once`,
    );
  }
  if (found.isCopied) {
    throw new DataDirError(
      `${path} is a copy: this data directory was moved or copied, or is from a backup. ${ONE_PLACE}: ${ONLY_HERE}`,
    );
  }
}

function readPlace(path: string): { home: string; isCopied: boolean } | 'damaged' {
  const { inode, born } = fileIdentityOf(statSync(path, { bigint: true }));
  try {
    const place = JSON.parse(readFileSync(path, 'utf8')) as Place;
    if (place.schema !== SCHEMA || typeof place.home !== 'string') return 'damaged';
    return { home: place.home, isCopied: place.inode !== inode || place.born !== born };
  } catch {
    return 'damaged';
  }
}
