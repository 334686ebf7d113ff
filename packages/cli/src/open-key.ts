import { readFileSync } from 'node:fs';
import { readKeyFile } from '@netd/node/keys';
import { AgentKey, memoryHome, type SessionFile } from '@netd/sdk';
import { ensureSigningKey } from '@netd/sdk/internal';
import { CommandError } from './command-error.ts';
import { isOpenToOthers } from './key-store.ts';

export interface OpenKey {
  chainId: string;
  actorId: string;
  sessionId: string | null;
  key: AgentKey;
}

/** @throws CommandError KEY_FILE if it is unreadable, open to others, damaged or encrypted differently */
export async function openKey(path: string): Promise<OpenKey> {
  try {
    const text = readFileSync(path, 'utf8');
    const file = parse(text);
    if (file?.schema === 'NET-SESSION-FILE/1') return await openSession(path, file as SessionFile);
    if (typeof file?.sealedPrivateKey === 'string') return await openSealed(path, file, text);
    return await openPlain(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new CommandError(`there is no key file ${path}`, 'KEY_FILE_MISSING');
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be used as a key file: ${why}`, 'KEY_FILE');
  }
}

interface AnyKeyFile {
  schema: string;
  chainId: string;
  actorId: string;
  sealedPrivateKey?: unknown;
}

function parse(text: string): AnyKeyFile | null {
  try {
    return JSON.parse(text) as AnyKeyFile | null;
  } catch {
    return null;
  }
}

async function openPlain(path: string): Promise<OpenKey> {
  const file = readKeyFile(path);
  const { chainId, actorId } = file;
  return { chainId, actorId, sessionId: null, key: await AgentKey.fromPem(file) };
}

async function openSession(path: string, file: SessionFile): Promise<OpenKey> {
  requirePrivate(path);
  const { chainId, actorId, sessionId } = file;
  return { chainId, actorId, sessionId, key: await AgentKey.fromPem(file) };
}

async function openSealed(path: string, file: AnyKeyFile, text: string): Promise<OpenKey> {
  requirePrivate(path);
  const { chainId, actorId } = file;
  const home = memoryHome();
  await home.writeSecret(actorId, text);
  const passphrase = process.env['NET_PASSPHRASE'];
  if (passphrase === undefined) {
    throw new Error('it is sealed with a passphrase; give it in NET_PASSPHRASE');
  }
  const key = await ensureSigningKey(home, { chainId, actorId, passphrase });
  return { chainId, actorId, sessionId: null, key };
}

function requirePrivate(path: string): void {
  if (!isOpenToOthers(path)) return;
  throw new Error('others than its owner may read or write it: run chmod 600 on it');
}
