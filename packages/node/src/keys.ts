/** One JSON document per key, readable by its owner only, never overwritten. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { publicKeyHash } from '@netd/protocol';
import { withoutByteOrderMark } from '@netd/protocol/visible-text';
import { writeOnce } from '@netd/engine/durable-file';

/** net-join.mjs writes the same for agents. */
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

export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

const OTHERS = 0o077;

/** @throws KeyFileError if the file is no key file, or others can read it */
export function readKeyFile(path: string): KeyFile {
  const descriptor = openSync(path, 'r');
  let text: string;
  try {
    const mode = process.platform === 'win32' ? 0 : fstatSync(descriptor).mode & 0o777;
    if ((mode & OTHERS) !== 0) {
      throw new KeyFileError(
        `${path} holds a private key and others than its owner may read or write it (mode ${mode.toString(8)}): run chmod 600 '${path}', and rotate the key if others could reach it`,
      );
    }
    text = readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
  try {
    const file = JSON.parse(withoutByteOrderMark(text)) as KeyFile;
    if (file.schema === 'NET-AGENT-KEY/1' && typeof file.privateKey === 'string') {
      createPrivateKey(file.privateKey);
      return file;
    }
  } catch {
    // Don't quote the text, which may be a key.
  }
  throw new KeyFileError(`${path} is not a NET-AGENT-KEY/1 file; put the original file back`);
}

export function ensureKeyFile(path: string, chainId: string, actorId: string): KeyFile {
  try {
    return readKeyFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeOnce(path, `${JSON.stringify(generateKeyFile(chainId, actorId), null, 2)}\n`, 0o600);
  return readKeyFile(path);
}
