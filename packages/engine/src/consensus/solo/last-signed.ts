/**
 * Records the last signed block. A chain that ends below it is an older copy, which must not sign these
 * heights again (docs/decisions/090-signing-once-backups-promotion.md).
 */
import {
  closeSync,
  fdatasync,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { SignedBlocks } from './solo-consensus.ts';
import { DataDirError } from '../../data-dir-error.ts';
import { replaceFile } from '../../durable-file.ts';
import { tipOf } from '../../executor/tip.ts';
import { fileIdentityOf, type FileIdentity } from '../../file-identity.ts';
import type { Store } from '../../store/store.ts';

export interface LastSigned {
  genesisHash: string;
  height: number;
  blockHash: string;
}

type Stored = LastSigned & FileIdentity & { schema: typeof SCHEMA };

const SCHEMA = 'NET-LAST-SIGNED/1';
const LENGTH = 512;
const BLOCKS_A_FILE = 256;

function encode(last: LastSigned, identity: FileIdentity): Buffer {
  const text = JSON.stringify({ schema: SCHEMA, ...last, ...identity } satisfies Stored);
  return Buffer.from(`${text.padEnd(LENGTH - 1)}\n`);
}

/**
 * Returns null if there is no record.
 * @throws DataDirError if the file is damaged
 */
export function readLastSigned(path: string): (LastSigned & { isCopied: boolean }) | null {
  let text: string;
  let identity: FileIdentity;
  try {
    text = readFileSync(path, 'utf8');
    identity = fileIdentityOf(statSync(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const stored = parsed(text);
  if (stored === null) {
    throw new DataDirError(`${path} does not say what this validator has signed last: ${RECOVER}`);
  }
  const { genesisHash, height, blockHash, inode, born } = stored;
  const isCopied = inode !== identity.inode || born !== identity.born;
  return { genesisHash, height, blockHash, isCopied };
}

const isFullDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

const RECOVER =
  'netd recover --from URL takes the blocks that a follower has; netd recover --as-is continues without them, if no later block exists anywhere';

function parsed(text: string): Stored | null {
  try {
    const stored = JSON.parse(text) as Stored;
    const isSound =
      stored.schema === SCHEMA &&
      Number.isSafeInteger(stored.height) &&
      typeof stored.genesisHash === 'string' &&
      typeof stored.blockHash === 'string';
    return isSound ? stored : null;
  } catch {
    return null;
  }
}

export function writeLastSigned(path: string, last: LastSigned): void {
  const content = (file: number): Buffer =>
    encode(last, fileIdentityOf(fstatSync(file, { bigint: true })));
  replaceFile(path, content, 0o600);
}

export interface FoundChain {
  genesisHash: string;
  head: { height: number; blockHash: string };
  blockHashAt: (height: number) => string | null;
}

export const blockHashIn =
  (store: Store) =>
  (height: number): string | null => {
    const snapshot = store.snapshot();
    try {
      const block = snapshot.blockAt(height);
      return block && tipOf(block.header).blockHash;
    } finally {
      snapshot.close();
    }
  };

/**
 * Creates the record of a new chain, and checks that of an existing one.
 * @throws DataDirError if the chain may lack a signed block
 */
export function requireLastSigned(path: string, chain: FoundChain): void {
  const { head } = chain;
  const last = readLastSigned(path);
  if (last === null) {
    if (head.height > 0) {
      throw new DataDirError(
        `${path} is missing. It records the last signature of this validator. If the chain here, at block ${head.height}, is from a backup, later blocks may exist, and signing other blocks in their place would fork the chain. ${RECOVER}`,
      );
    }
    writeLastSigned(path, { genesisHash: chain.genesisHash, ...head });
    return;
  }
  const fault = faultOf(last, chain);
  if (fault !== null) throw new DataDirError(`${fault}. ${RECOVER}`);
  if (last.isCopied) {
    throw new DataDirError(
      `${path} is a copy: this data directory was moved, or is from a backup. One key must never sign on two machines, and if the original has signed blocks after ${head.height}, signing other blocks in their place would fork the chain. ${RECOVER}`,
    );
  }
}

function faultOf(last: LastSigned, { genesisHash, head, blockHashAt }: FoundChain): string | null {
  const { height, blockHash } = last;
  if (last.genesisHash !== genesisHash) {
    return `this validator has signed block ${height} of another chain (genesis ${last.genesisHash}): put the genesis.json of that one back, or move keys/ away for a new chain`;
  }
  if (head.height < height) {
    return `this validator has signed block ${height} (${blockHash}), and the chain here ends at block ${head.height}: it is an older copy, and to sign other blocks in the place of those that are missing would fork the chain`;
  }
  const here = blockHashAt(height);
  if (here !== null && here !== blockHash) {
    return `this validator has signed block ${height} as ${blockHash}, and the chain here has ${here}: it is another history`;
  }
  return null;
}

/** Replaces its file regularly, so that a backup restored over it can be recognized. */
export class SigningRecord implements SignedBlocks {
  private readonly path: string;
  private readonly genesisHash: string;
  private file: number;
  private identity: FileIdentity;
  private notes = 0;
  private synced: Promise<void> = Promise.resolve();

  constructor(path: string, genesisHash: string) {
    this.path = path;
    this.genesisHash = genesisHash;
    const last = readLastSigned(path);
    if (last === null) throw new Error(`${path} is missing`);
    const { height, blockHash } = last;
    try {
      writeLastSigned(path, { genesisHash, height, blockHash });
    } catch (error) {
      if (!isFullDisk(error)) throw error;
      // A full disk accepts no block either. The first block replaces the file.
      this.notes = BLOCKS_A_FILE - 1;
    }
    this.file = openSync(path, 'r+');
    this.identity = fileIdentityOf(fstatSync(this.file, { bigint: true }));
  }

  /**
   * Call it when a block is on disk, before it is reported. The note survives a power cut only after
   * `settled`.
   */
  note(height: number, blockHash: string): void {
    const { genesisHash } = this;
    if (++this.notes % BLOCKS_A_FILE === 0) this.renew({ genesisHash, height, blockHash });
    const { identity, file } = this;
    writeSync(file, encode({ genesisHash, height, blockHash }, identity), 0, LENGTH, 0);
    this.synced = new Promise((resolve, reject) => {
      fdatasync(file, (error) => (error ? reject(error) : resolve()));
    });
    this.synced.catch(() => {});
  }

  private renew(last: LastSigned): void {
    try {
      writeLastSigned(this.path, last);
    } catch {
      return;
    }
    const before = this.file;
    void this.synced.catch(() => {}).then(() => closeSync(before));
    this.file = openSync(this.path, 'r+');
    this.identity = fileIdentityOf(fstatSync(this.file, { bigint: true }));
  }

  settled(): Promise<void> {
    return this.synced;
  }

  async close(): Promise<void> {
    await this.synced.catch(() => {});
    closeSync(this.file);
  }
}
