/** Reads the session file. An agent's own key is refused, because it has no limits. */
import { readFile } from 'node:fs/promises';
import { withoutByteOrderMark } from '@netd/protocol/visible-text';
import { AgentError, AgentKey, type SessionFile } from '@netd/sdk';
import { readSession } from '@netd/sdk/internal';
import { SignerError } from './signer-error.ts';

/**
 * @throws SignerError AGENT_KEY_REFUSED, SESSION_FILE_MISSING; AgentError KEY_FILE_READABLE,
 * SESSION_FILE_INVALID
 */
export async function readSessionFile(path: string): Promise<SessionFile> {
  let session: SessionFile;
  try {
    session = await readSession(path);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'SESSION_FILE_INVALID') throw error;
    throw await reasonOf(path, error);
  }
  const { publicKeyHash } = await AgentKey.fromPem(session).catch(() => {
    throw new AgentError('SESSION_FILE_INVALID');
  });
  if (publicKeyHash !== session.publicKeyHash) throw new AgentError('SESSION_FILE_INVALID');
  return session;
}

async function reasonOf(path: string, invalid: AgentError): Promise<Error> {
  try {
    const text = withoutByteOrderMark(await readFile(path, 'utf8'));
    const value = JSON.parse(text) as { schema?: unknown } | null;
    return value?.schema === 'NET-AGENT-KEY/1' ? new SignerError('AGENT_KEY_REFUSED') : invalid;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return missing ? new SignerError('SESSION_FILE_MISSING') : invalid;
  }
}
