/**
 * A marker file shows that a folder is ours. Without one, netd uses a folder only if no entry has a name that
 * netd writes (docs/decisions/021-data-directories-and-clock.md).
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirError, isOurDocument } from '@netd/engine';

export type FolderKind = 'node' | 'store' | 'testnet' | 'backup' | 'upgrade';

const MARKER = '.netd-folder.json';
const SCHEMA = 'NET-FOLDER/1';

const LOCK_FILES = /^node\.(json|lock(-journal)?)$/;

interface Kind {
  is: string;
  option: string;
  names: RegExp;
  /** Files that only netd writes, which identify folders older than the marker. */
  proofs: readonly string[];
}

const KEYS = ['keys/operator.json', 'keys/validator.json'];

const KINDS: Readonly<Record<FolderKind, Kind>> = {
  node: {
    is: 'a data directory',
    option: '--data-dir',
    names:
      /^(chain|checkpoints|restore|forking|fork-point|\.restoring|keys|old-keys|house|demo|blobs-\d+|cometbft|(genesis|follow|fork|dev|last-done)\.json)$/,
    proofs: ['genesis.json', 'follow.json', 'chain/data.mdb', ...KEYS],
  },
  store: {
    is: 'a store for blobs',
    option: '--data-dir',
    names: /^(blobs|catalogue|incoming|tls|port|blobs\.json)$/,
    proofs: ['catalogue/data.mdb'],
  },
  testnet: {
    is: 'a testnet',
    option: '--dir',
    names: /^(validator-\d+|(testnet|dev)\.json)$/,
    proofs: ['testnet.json', ...KEYS.map((name) => `validator-1/${name}`)],
  },
  backup: {
    is: 'a backup',
    option: '--to',
    names:
      /^(database-\d+|\.database|blocks-\d+-\d+\.jsonl\.gz|fork-point|(backup|genesis|follow)\.json)$/,
    proofs: ['backup.json'],
  },
  upgrade: {
    is: 'the folder of a conversion',
    option: '--data-dir',
    names: /^(copy|next|before|leaves)$/,
    proofs: [],
  },
};

/** @throws DataDirError if the folder is not ours, or has another purpose */
export function requireOwnFolder(root: string, kind: FolderKind): void {
  const { is, option, names } = KINDS[kind];
  const marked = markedAs(root);
  if (marked === kind) return;
  if (marked !== null) {
    throw new DataDirError(
      `${root} is ${KINDS[marked].is}, and ${is} is needed: name another folder with ${option}`,
    );
  }
  if (isProven(root, kind)) return;
  const others = readdirSync(root).filter(
    (name) => names.test(name) || (LOCK_FILES.test(name) && !isOfTheLock(join(root, name))),
  );
  if (others.length === 0) return;
  throw new DataDirError(
    `${root} is not ${is} of netd, and has entries that netd would write over or delete (${others.slice(0, 3).join(', ')}): name an empty folder with ${option}`,
  );
}

/**
 * Marks the folder. The caller holds the lock.
 * @returns a function that removes the marker if the folder was not used
 * @throws the system's error for a new folder, because a later start would refuse it without the marker
 */
export function markFolder(root: string, kind: FolderKind): () => void {
  if (markedAs(root) !== null) return () => {};
  const path = join(root, MARKER);
  try {
    writeFileSync(path, `${JSON.stringify({ schema: SCHEMA, holds: kind })}\n`);
  } catch (error) {
    rmSync(path, { force: true });
    if (!isProven(root, kind)) throw error;
  }
  return () => {
    if (!existsSync(root)) return;
    if (!readdirSync(root).some((name) => KINDS[kind].names.test(name))) {
      rmSync(path, { force: true });
    }
  };
}

export const isOfLock = (name: string): boolean => LOCK_FILES.test(name) || name === MARKER;

function markedAs(root: string): FolderKind | null {
  try {
    const { schema, holds } = JSON.parse(readFileSync(join(root, MARKER), 'utf8')) as {
      schema?: unknown;
      holds?: unknown;
    };
    const isKnown = typeof holds === 'string' && Object.hasOwn(KINDS, holds);
    return schema === SCHEMA && isKnown ? (holds as FolderKind) : null;
  } catch {
    return null;
  }
}

const isProven = (root: string, kind: FolderKind): boolean =>
  KINDS[kind].proofs.some((name) => isProof(join(root, name)));

const isProof = (path: string): boolean =>
  path.endsWith('.json')
    ? isOurDocument(path)
    : statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function isOfTheLock(path: string): boolean {
  if (!path.endsWith('.json')) return statSync(path).size === 0;
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as object;
    return Object.keys(holder).toSorted().join() === 'host,pid';
  } catch {
    return false;
  }
}
