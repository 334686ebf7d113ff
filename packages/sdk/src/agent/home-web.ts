/** Where there are no files: the caller has to say where keys and state are kept. */
import { AgentError } from './agent-error.ts';
import type { AgentHome } from './home.ts';

export function defaultHome(_chainId: string, _agentId: string, _keys?: string): AgentHome {
  throw new AgentError('HOME_NEEDED');
}

/** A page has no signals to end by. */
export function onInterrupt(_stop: () => void): () => void {
  return () => {};
}

export function readSecretFile(_path: string): Promise<string | null> {
  throw new AgentError('HOME_NEEDED');
}
