/**
 * Key files: `<actorId>.json` (Ed25519), `<actorId>.encryption.json` (X25519), `<actorId>.encryption-2.json`
 * and so on after rotations. Secrets are plain, or in a JWE (RFC 7516, PBES2-HS512+A256KW, A256GCM). Files
 * are never overwritten, except to seal the same key.
 */
import {
  encryptionKeyOf,
  generateEncryptionKey,
  type EncryptionSecret,
  type Keyring,
} from '@netd/formats';
import { bytesToBase64, publicKeyHash, utf8Bytes, utf8Text } from '@netd/protocol';
import { compactDecrypt, CompactEncrypt } from 'jose';
import { AgentKey } from './agent-key.ts';
import { AgentError } from './agent/agent-error.ts';
import type { AgentHome } from './agent/home.ts';

export interface KeyPair {
  publicKey: string;
  publicKeyHash: string;
  privateKey: string;
}

interface SigningKeyFile {
  schema: 'NET-AGENT-KEY/1';
  chainId: string;
  actorId: string;
  publicKey: string;
  publicKeyHash: string;
  /** PEM; absent if `sealedPrivateKey` is present. */
  privateKey?: string;
  sealedPrivateKey?: string;
}

interface EncryptionKeyFile {
  schema: 'NET-ENCRYPTION-KEY/1';
  chainId: string;
  actorId: string;
  x: string;
  kid: string;
  /** Secret of the JWK; absent if `sealedD` is present. */
  d?: string;
  sealedD?: string;
}

export interface AgentKeys {
  signing: AgentKey;
  encryption: Keyring;
}

export interface KeyOwner {
  chainId: string;
  actorId: string;
  passphrase?: string | undefined;
}

const PBES2_COUNT = 210_000;
const KEY_MANAGEMENT = 'PBES2-HS512+A256KW';
const CIPHER = 'A256GCM';

/**
 * Returns the keys. Creates missing ones.
 * @throws AgentError KEY_FILE_READABLE, KEY_FILE_INVALID, PASSPHRASE_NEEDED, PASSPHRASE_WRONG
 */
export async function ensureKeys(home: AgentHome, owner: KeyOwner): Promise<AgentKeys> {
  return {
    signing: await ensureSigningKey(home, owner),
    encryption: await ensureKeyring(home, owner),
  };
}

export async function generateKeyPair(): Promise<KeyPair> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as {
    publicKey: Parameters<typeof crypto.subtle.exportKey>[1];
    privateKey: Parameters<typeof crypto.subtle.exportKey>[1];
  };
  const publicKey = pem('PUBLIC', await crypto.subtle.exportKey('spki', pair.publicKey));
  const privateKey = pem('PRIVATE', await crypto.subtle.exportKey('pkcs8', pair.privateKey));
  return { publicKey, publicKeyHash: publicKeyHash(publicKey), privateKey };
}

function pem(kind: 'PUBLIC' | 'PRIVATE', der: ArrayBuffer): string {
  const label = `${kind} KEY`;
  return `-----BEGIN ${label}-----\n${bytesToBase64(new Uint8Array(der))}\n-----END ${label}-----\n`;
}

export async function ensureSigningKey(home: AgentHome, owner: KeyOwner): Promise<AgentKey> {
  const { chainId, actorId, passphrase } = owner;
  const own = { name: actorId, schema: 'NET-AGENT-KEY/1' } as const;
  const file = await ensure<SigningKeyFile>(home, owner, own, async () => {
    const { privateKey, ...open } = await generateKeyPair();
    return {
      schema: 'NET-AGENT-KEY/1',
      chainId,
      actorId,
      ...open,
      ...(passphrase === undefined
        ? { privateKey }
        : { sealedPrivateKey: await sealText(privateKey, passphrase) }),
    };
  });
  const privateKey = await secretOf(file.privateKey, file.sealedPrivateKey, owner, actorId);
  try {
    return await AgentKey.fromPem({ publicKey: file.publicKey, privateKey });
  } catch {
    // Don't quote the file, because it may hold a key.
    throw new AgentError('KEY_FILE_INVALID', actorId);
  }
}

async function ensureKeyring(home: AgentHome, owner: KeyOwner): Promise<Keyring> {
  const keyring: [EncryptionSecret, ...EncryptionSecret[]] = [
    await ensureEncryptionKey(home, owner, 1),
  ];
  for (let number = 2; ; number++) {
    if ((await home.readSecret(encryptionFile(owner, number))) === null) return keyring;
    keyring.unshift(await ensureEncryptionKey(home, owner, number));
  }
}

/**
 * Seals the plain files if there is a passphrase. Call it after `ensureKeys`, which refuses a passphrase that does not
 * open the sealed ones.
 * @throws AgentError HOME_UNUSABLE if the home cannot replace a file
 */
export async function sealPlainKeys(home: AgentHome, owner: KeyOwner): Promise<void> {
  const { actorId, passphrase } = owner;
  if (passphrase === undefined) return;
  await sealFile(home, actorId, passphrase, { plain: 'privateKey', sealed: 'sealedPrivateKey' });
  const members = { plain: 'd', sealed: 'sealedD' };
  for (let number = 1; ; number++) {
    if (!(await sealFile(home, encryptionFile(owner, number), passphrase, members))) return;
  }
}

/** Returns false if there is no such file. */
async function sealFile(
  home: AgentHome,
  name: string,
  passphrase: string,
  { plain, sealed }: { plain: string; sealed: string },
): Promise<boolean> {
  const before = await home.readSecret(name);
  if (before === null) return false;
  const { [plain]: secret, ...open } = JSON.parse(before) as Record<string, unknown>;
  if (typeof secret !== 'string') return true;
  if (home.replaceSecret === undefined) {
    const detail = `${name} is plain, and this home has no replaceSecret to seal it: leave out the passphrase, or use a home that has it`;
    throw new AgentError('HOME_UNUSABLE', detail);
  }
  const file = { ...open, [sealed]: await sealText(secret, passphrase) };
  await home.replaceSecret(name, before, textOf(file));
  // Another process may have sealed it with another passphrase.
  const kept = JSON.parse((await home.readSecret(name)) ?? '{}') as Record<string, unknown>;
  if ((await openText(String(kept[sealed]), passphrase)) === secret) return true;
  throw new AgentError('KEY_FILE_INVALID', name);
}

const textOf = (file: object): string => `${JSON.stringify(file, null, 2)}\n`;

/** Adds the next X25519 key, or uses one that another process just added. */
export async function addEncryptionKey(home: AgentHome, owner: KeyOwner): Promise<Keyring> {
  const { length } = await ensureKeyring(home, owner);
  await ensureEncryptionKey(home, owner, length + 1);
  return ensureKeyring(home, owner);
}

const encryptionFile = ({ actorId }: KeyOwner, number: number): string =>
  `${actorId}.encryption${number === 1 ? '' : `-${number}`}`;

async function ensureEncryptionKey(
  home: AgentHome,
  owner: KeyOwner,
  number: number,
): Promise<EncryptionSecret> {
  const { chainId, actorId, passphrase } = owner;
  const name = encryptionFile(owner, number);
  const file = await ensure<EncryptionKeyFile>(
    home,
    owner,
    { name, schema: 'NET-ENCRYPTION-KEY/1' },
    async () => {
      const { x, kid, d } = await generateEncryptionKey();
      const secret = passphrase === undefined ? { d } : { sealedD: await sealText(d, passphrase) };
      return { schema: 'NET-ENCRYPTION-KEY/1', chainId, actorId, x, kid, ...secret };
    },
  );
  const d = await secretOf(file.d, file.sealedD, owner, name);
  const open = encryptionKeyOf(file.x);
  if (open.kid !== file.kid) throw new AgentError('KEY_FILE_INVALID', name);
  return { ...open, d };
}

async function ensure<File extends { schema: string; chainId: string; actorId: string }>(
  home: AgentHome,
  { chainId, actorId }: KeyOwner,
  { name, schema }: { name: string; schema: File['schema'] },
  make: () => Promise<File>,
): Promise<File> {
  let text = await home.readSecret(name);
  if (text === null) {
    await home.writeSecret(name, textOf(await make()));
    text = (await home.readSecret(name)) ?? '';
  }
  try {
    const file = JSON.parse(text) as File;
    if (file.schema === schema && file.chainId === chainId && file.actorId === actorId) return file;
  } catch {
    // refused below
  }
  throw new AgentError('KEY_FILE_INVALID', name);
}

async function secretOf(
  plain: string | undefined,
  sealed: string | undefined,
  { passphrase }: KeyOwner,
  name: string,
): Promise<string> {
  if (typeof plain === 'string') return plain;
  if (typeof sealed !== 'string') throw new AgentError('KEY_FILE_INVALID', name);
  if (passphrase === undefined) throw new AgentError('PASSPHRASE_NEEDED', name);
  return openText(sealed, passphrase);
}

async function sealText(text: string, passphrase: string): Promise<string> {
  return new CompactEncrypt(utf8Bytes(text))
    .setProtectedHeader({ alg: KEY_MANAGEMENT, enc: CIPHER })
    .setKeyManagementParameters({ p2c: PBES2_COUNT })
    .encrypt(utf8Bytes(passphrase));
}

async function openText(sealed: string, passphrase: string): Promise<string> {
  try {
    const { plaintext } = await compactDecrypt(sealed, utf8Bytes(passphrase), {
      keyManagementAlgorithms: [KEY_MANAGEMENT],
      contentEncryptionAlgorithms: [CIPHER],
      maxPBES2Count: PBES2_COUNT,
    });
    return utf8Text(plaintext);
  } catch {
    throw new AgentError('PASSPHRASE_WRONG');
  }
}
