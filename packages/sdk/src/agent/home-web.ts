/** The home of agents in pages, where the caller must provide the storage. */
import { AgentError } from './agent-error.ts';
import type { AgentHome } from './home.ts';

export function defaultHome(_chainId: string, _agentId: string, _keys?: string): AgentHome {
  throw new AgentError('HOME_NEEDED');
}

export function onInterrupt(_stop: () => void): () => void {
  return () => {};
}

export function readSecretFile(_path: string): Promise<string | null> {
  throw new AgentError('HOME_NEEDED');
}
