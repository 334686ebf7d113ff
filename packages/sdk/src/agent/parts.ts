import type { EncryptionSecret, Keyring } from '@netd/formats';
import { AgentError } from './agent-error.ts';
import type { DocumentOf } from '../reads.ts';
import type { ChainTime } from './chain-time.ts';
import type { AgentEmitter } from './emitter.ts';
import type { ReachFailpoint } from './failpoints.ts';
import type { AgentState } from './home.ts';
import type { RetryingClient } from './retrying-client.ts';
import type { Origins } from './origins.ts';
import type { Outbox } from './outbox.ts';
import type { Peers } from './peers.ts';
import type { Poller } from './poller.ts';

export interface AgentParts {
  agentId: string;
  chainId: string;
  genesisHash: string;
  encryption: Keyring | null;
  capabilities: readonly string[];
  /** Runtime of this process; null unless memories move to it. */
  runtime: string | null;
  retryingClient: RetryingClient;
  outbox: Outbox;
  origins: Origins;
  peers: Peers;
  poller: Poller;
  time: ChainTime;
  state: AgentState;
  events: AgentEmitter;
  reach: ReachFailpoint;
  extending: Map<string, Promise<boolean>>;
  /** Starts to follow events about the agent. From then on, each of them ends every wait. */
  watch: () => Promise<void>;
}

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export const SLOW_POLL = 60_000;

export function requireKeyring({ encryption }: Pick<AgentParts, 'encryption'>): Keyring {
  if (!encryption) throw new AgentError('SESSION_READS_NOTHING');
  return encryption;
}

export function requireSecret(parts: Pick<AgentParts, 'encryption'>): EncryptionSecret {
  return requireKeyring(parts)[0];
}
