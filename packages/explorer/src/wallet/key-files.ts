/**
 * Key files in the format of `netd` and the SDKs: `<agent>.json` signs, `<agent>.encryption.json` decrypts.
 * They stay in memory until the person saves them.
 */
import { AgentError, ensureKeys, ensureSigningKey, type AgentHome } from '@netd/sdk/internal';
import { ACTOR_ID_PATTERN, bytesToBase64, CHAIN_ID_PATTERN, isSignedBy } from '@netd/protocol';
import type { AgentKey } from '@netd/sdk/core';

export interface KeyFile {
  name: string;
  text: string;
}

/** Opened keys of an agent. Scripts cannot export the private keys. */
export interface OpenedKeys {
  actorId: string;
  chainId: string;
  signing: AgentKey;
  /** Null if the agent has no encryption keys. Then it cannot read sealed content. */
  encryption: Keyring | null;
  files: readonly KeyFile[];
}
type Keyring = Awaited<ReturnType<typeof ensureKeys>>['encryption'];

/** Its messages must never quote the text, which may be a key. */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}

export const AGENT_NAME = new RegExp(ACTOR_ID_PATTERN);
const CHAIN_NAME = new RegExp(CHAIN_ID_PATTERN);
const SIGNING = 'NET-AGENT-KEY/1';
const ENCRYPTION = 'NET-ENCRYPTION-KEY/1';

export async function makeKeys(
  chainId: string,
  actorId: string,
  passphrase: string,
): Promise<OpenedKeys> {
  const { home, files } = homeOf([]);
  const sealed = passphrase === '' ? {} : { passphrase };
  const keys = await ensureKeys(home, { chainId, actorId, ...sealed });
  return { actorId, chainId, ...keys, files: files() };
}

/**
 * Opens the keys of one agent.
 * @param texts the signing key, and encryption keys if any
 * @param passphrase empty for plain files
 * @throws KeyFileError with a sentence for the person
 */
export async function openKeys(texts: readonly string[], passphrase: string): Promise<OpenedKeys> {
  const read = texts.map(readFile);
  const signing = read.filter(({ schema }) => schema === SIGNING);
  const [first] = signing;
  if (!first || signing.length > 1) {
    throw new KeyFileError(
      first
        ? 'These are the keys of several agents. Open one agent at a time.'
        : 'The signing key is missing. It is the file that is named after the agent.',
    );
  }
  const { actorId, chainId } = first;
  const sealing = read.filter(({ schema }) => schema === ENCRYPTION);
  if (sealing.some((one) => one.actorId !== actorId || one.chainId !== chainId)) {
    throw new KeyFileError('The files are of different agents.');
  }
  const named = [
    { name: actorId, text: first.text },
    ...sealing
      .toSorted((a, b) => a.order - b.order)
      .map(({ text }, at) => ({
        name: `${actorId}.encryption${at === 0 ? '' : `-${at + 1}`}`,
        text,
      })),
  ];
  const { home, files } = homeOf(named);
  const owner = { chainId, actorId, ...(passphrase === '' ? {} : { passphrase }) };
  try {
    const keys =
      sealing.length > 0
        ? await ensureKeys(home, owner)
        : { signing: await ensureSigningKey(home, owner), encryption: null };
    if (!(await isPair(keys.signing))) {
      throw new KeyFileError(
        'The public key in this file does not belong to its private key, so no signature of it would be accepted.',
      );
    }
    return { actorId, chainId, ...keys, files: files() };
  } catch (error) {
    if (error instanceof KeyFileError) throw error;
    throw new KeyFileError(sentenceOf(error), { cause: error });
  }
}

/** Returns true if the private and public key belong together. A file could combine two keys. */
async function isPair(key: AgentKey): Promise<boolean> {
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  return isSignedBy(key.publicKey, challenge, bytesToBase64(await key.signBytes(challenge)));
}

export function isSealed(text: string): boolean {
  return /"sealed(?:PrivateKey|D)"/.test(text);
}

function sentenceOf(error: unknown): string {
  const code = error instanceof AgentError ? error.code : null;
  if (code === 'PASSPHRASE_NEEDED') return 'The file is encrypted. Type its passphrase.';
  if (code === 'PASSPHRASE_WRONG') return 'The passphrase does not open the file.';
  return 'The file is damaged: its key cannot be read.';
}

interface ReadFile {
  schema: string;
  actorId: string;
  chainId: string;
  text: string;
  order: number;
}

function readFile(text: string, order: number): ReadFile {
  let file: Record<string, unknown> = {};
  try {
    file = JSON.parse(text) as typeof file;
  } catch {}
  const { schema, actorId, chainId } = file ?? {};
  if (schema === 'NET-SESSION-FILE/1') {
    throw new KeyFileError('This is a session key. Open the agent’s own key instead.');
  }
  if (
    (schema !== SIGNING && schema !== ENCRYPTION) ||
    typeof actorId !== 'string' ||
    !AGENT_NAME.test(actorId) ||
    typeof chainId !== 'string' ||
    !CHAIN_NAME.test(chainId)
  ) {
    throw new KeyFileError(
      'This is not a key file. netd join, the SDKs and this page write key files.',
    );
  }
  return { schema, actorId, chainId, text, order };
}

function homeOf(given: readonly KeyFile[]): { home: AgentHome; files: () => KeyFile[] } {
  const secrets = new Map(given.map(({ name, text }) => [name, text]));
  const home: AgentHome = {
    readSecret: async (name) => secrets.get(name) ?? null,
    writeSecret: async (name, text) => {
      if (!secrets.has(name)) secrets.set(name, text);
    },
    openState: () => Promise.reject(new TypeError('a wallet has no state of an agent')),
  };
  return { home, files: () => [...secrets].map(([name, text]) => ({ name, text })) };
}
