/** Key files: one JSON document per key, readable by its owner only, written once and never over another. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { publicKeyHash } from '@netd/protocol';

/** The same form that net-join.mjs writes for agents. */
export interface KeyFile {
  schema: 'NET-AGENT-KEY/1';
  chainId: string;
  actorId: string;
  /** SPKI PEM. */
  publicKey: string;
  publicKeyHash: string;
  /** PKCS #8 PEM. */
  privateKey: string;
}

export function generateKeyFile(chainId: string, actorId: string): KeyFile {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
  return {
    schema: 'NET-AGENT-KEY/1',
    chainId,
    actorId,
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** @throws Error where the file is not a key file */
export function readKeyFile(path: string): KeyFile {
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  if (file.schema !== 'NET-AGENT-KEY/1' || typeof file.privateKey !== 'string') {
    throw new Error(`${path} is not a NET-AGENT-KEY/1 file`);
  }
  createPrivateKey(file.privateKey);
  return file;
}

/** The key in the file, or a new one written there first. */
export function ensureKeyFile(path: string, chainId: string, actorId: string): KeyFile {
  try {
    return readKeyFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeOnce(path, `${JSON.stringify(generateKeyFile(chainId, actorId), null, 2)}\n`, 0o600);
  return readKeyFile(path);
}

/** Writes a file durably and all at once; one that is there already stays as it is. */
export function writeOnce(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${process.pid}.${Math.random().toString(36).slice(2)}.draft`);
  const file = openSync(draft, 'wx', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dirname(path));
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
