/** Describes a backup, which consists only of the files that it names. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirError } from '@netd/engine';
import { hashOfFile } from '@netd/engine/durable-file';
import { CHAIN_ID_PATTERN, HASH_PATTERN } from '@netd/protocol';

export const MANIFEST = 'backup.json';

/** A manifest may come from anywhere; netd writes a few hundred bytes per backup. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

export interface BackupFile {
  /** Relative to the backup. */
  path: string;
  bytes: number;
  sha256: string;
}

export interface BlocksFile extends BackupFile {
  from: number;
  to: number;
}

export interface BackupManifest {
  schema: 'NET-BACKUP/1';
  version: string;
  chainId: string;
  genesisHash: string;
  storeFormat: number;
  /** Height of the last block. */
  height: number;
  blockHash: string;
  stateRoot: string;
  madeAt: string;
  /** True for a follower's backup. */
  follower: boolean;
  database: BackupFile & { height: number; blockHash: string };
  blocks: BlocksFile[];
  /** genesis.json; if they exist, follow.json and a fork's initial state. */
  documents: BackupFile[];
}

export function readManifest(directory: string): BackupManifest | null {
  const path = join(directory, MANIFEST);
  let text: string;
  try {
    const { size } = statSync(path);
    text = isFileOf(path, size) && size <= MAX_MANIFEST_BYTES ? readFileSync(path, 'utf8') : '';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const manifest = JSON.parse(text) as BackupManifest;
    if (manifest.schema === 'NET-BACKUP/1' && isInside(manifest) && isPlain(manifest)) {
      return manifest;
    }
  } catch {}
  throw new DataDirError(`${path} is not as netd backup wrote it: name another directory`);
}

const filesOf = ({ database, blocks, documents }: BackupManifest): BackupFile[] => [
  database,
  ...blocks,
  ...documents,
];

const isInside = (manifest: BackupManifest): boolean =>
  filesOf(manifest).every(({ path }) =>
    /^(database-\d+\/data\.mdb|blocks-\d+-\d+\.jsonl\.gz|genesis\.json|follow\.json|fork-point\/(point\.json|chunk-\d+))$/.test(
      path,
    ),
  );

const isHash = (value: unknown): boolean =>
  typeof value === 'string' && new RegExp(HASH_PATTERN).test(value);

const isPlain = (manifest: BackupManifest): boolean => {
  const { chainId, version, genesisHash, blockHash, stateRoot, database, blocks } = manifest;
  const numbers = [
    manifest.height,
    manifest.storeFormat,
    database.height,
    ...blocks.flatMap(({ from, to }) => [from, to]),
    ...filesOf(manifest).map(({ bytes }) => bytes),
  ];
  const hashes = [
    genesisHash,
    blockHash,
    stateRoot,
    database.blockHash,
    ...filesOf(manifest).map(({ sha256 }) => sha256),
  ];
  return (
    typeof chainId === 'string' &&
    new RegExp(CHAIN_ID_PATTERN).test(chainId) &&
    typeof version === 'string' &&
    /^[\w.+-]{1,64}$/.test(version) &&
    typeof manifest.follower === 'boolean' &&
    numbers.every((value) => Number.isSafeInteger(value) && value >= 0) &&
    hashes.every(isHash)
  );
};

/** @throws DataDirError if a file is missing or changed */
export async function requireFiles(directory: string, manifest: BackupManifest): Promise<void> {
  for (const { path, bytes, sha256 } of filesOf(manifest)) {
    // Check before reading: a device or pipe in place of a file has no end.
    const isFile = isFileOf(join(directory, path), bytes);
    if (isFile === false) throw damaged(directory, `${path} is not a file of ${bytes} bytes`);
    const found = await hashOfFile(join(directory, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (found === null) throw damaged(directory, `${path} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw damaged(
        directory,
        `${path} has ${found.bytes} bytes and SHA-256 ${found.sha256}, and was written with ${bytes} and ${sha256}`,
      );
    }
  }
}

function isFileOf(path: string, bytes: number): boolean | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : found.isFile() && found.size === bytes;
}

const damaged = (directory: string, what: string): DataDirError =>
  new DataDirError(
    `the backup in ${directory} is damaged (${what}): use another one, and make a new one with netd backup --full`,
  );
