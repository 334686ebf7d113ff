/** Opens a key file, with the passphrase of NET_PASSPHRASE where it is sealed. */
import { readFileSync } from 'node:fs';
import { readKeyFile } from '@netd/node/keys';
import { AgentKey, ensureSigningKey, memoryHome } from '@netd/sdk';
import { CommandError } from './command-error.ts';

export interface OpenKey {
  chainId: string;
  actorId: string;
  /** The session that it belongs to, where it is not the actor's own. */
  sessionId: string | null;
  key: AgentKey;
}

/** @throws CommandError KEY_FILE where it cannot be read, is open to others, damaged or sealed otherwise */
export async function openKey(path: string): Promise<OpenKey> {
  try {
    return (await openSealed(path)) ?? (await openPlain(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new CommandError(`there is no key file ${path}`, 'KEY_FILE_MISSING');
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be used as a key file: ${why}`, 'KEY_FILE');
  }
}

async function openPlain(path: string): Promise<OpenKey> {
  const file = readKeyFile(path);
  const { chainId, actorId } = file;
  const { sessionId = null } = file as { sessionId?: string };
  return { chainId, actorId, sessionId, key: await AgentKey.fromPem(file) };
}

/** @returns null where the file is not a sealed one */
async function openSealed(path: string): Promise<OpenKey | null> {
  const text = readFileSync(path, 'utf8');
  let file: { chainId: string; actorId: string; sealedPrivateKey?: unknown };
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return null;
  }
  const { chainId, actorId, sealedPrivateKey } = file;
  if (typeof sealedPrivateKey !== 'string') return null;
  const home = memoryHome();
  await home.writeSecret(actorId, text);
  const passphrase = process.env['NET_PASSPHRASE'];
  if (passphrase === undefined) {
    throw new Error('it is sealed with a passphrase; give it in NET_PASSPHRASE');
  }
  const key = await ensureSigningKey(home, { chainId, actorId, passphrase });
  return { chainId, actorId, sessionId: null, key };
}
