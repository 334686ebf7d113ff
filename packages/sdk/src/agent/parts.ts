import type { EncryptionSecret, Keyring } from '@netd/formats';
import { AgentError } from './agent-error.ts';
import { bounded, type BoundedCall, type Bounds } from '../bounds.ts';
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
import type { Instruments } from './telemetry.ts';

export interface AgentParts {
  agentId: string;
  chainId: string;
  genesisHash: string;
  encryption: Keyring | null;
  /** Makes ids that no stranger can guess; see `own-ids.ts`. */
  idSecret: string;
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
  telemetry: Instruments;
  reach: ReachFailpoint;
  extending: Map<string, Promise<boolean>>;
  /** Starts to follow events about the agent. From then on, each of them ends every wait. */
  watch: () => Promise<void>;
  /** The agent's own parts, if these belong to one call. */
  whole?: AgentParts;
}

/** True if a bound has ended the call to which the parts belong. Its error names the id that continues the call. */
export const isCutShort = ({ whole, poller }: AgentParts): boolean =>
  whole !== undefined && poller.signal.aborted;

/** Runs a call of the agent's owner, until the agent stops or a bound ends it. */
export async function boundedCall<Result>(
  parts: AgentParts,
  about: BoundedCall,
  bounds: Bounds,
  call: (parts: AgentParts) => Promise<Result>,
): Promise<Result> {
  const { poller } = parts;
  const why = (): string => `${about.why?.() ?? ''}${parts.retryingClient.outage()}`;
  const onEnd: BoundedCall['onEnd'] = (listener) =>
    poller.onStop(() => listener(poller.signal.reason));
  return poller.live(() =>
    bounded({ ...about, why, onEnd }, bounds, (signal) => call(partsUntil(parts, signal))),
  );
}

/** Returns the parts for one call, which signs and waits until the signal aborts. */
function partsUntil(parts: AgentParts, signal: AbortSignal | undefined): AgentParts {
  if (!signal) return parts;
  const poller = parts.poller.until(signal);
  const retryingClient = parts.retryingClient.until(poller);
  const outbox = parts.outbox.through(retryingClient);
  // The agent may rotate its keys meanwhile, so a copy would be stale.
  return Object.assign(Object.create(parts) as AgentParts, {
    poller,
    retryingClient,
    outbox,
    whole: parts,
  });
}

/** An order as the chain has it. */
export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export const SLOW_POLL = 60_000;

export function requireKeyring({ encryption }: Pick<AgentParts, 'encryption'>): Keyring {
  if (!encryption) throw new AgentError('SESSION_READS_NOTHING');
  return encryption;
}

export function requireSecret(parts: Pick<AgentParts, 'encryption'>): EncryptionSecret {
  return requireKeyring(parts)[0];
}
