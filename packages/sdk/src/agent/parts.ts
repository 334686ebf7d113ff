/** What the desks of an agent share. */
import type { EncryptionSecret } from '@netd/formats';
import type { DocumentOf } from '../reads.ts';
import type { Emitter } from './emitter.ts';
import type { ReachFailpoint } from './failpoints.ts';
import type { AgentState } from './home.ts';
import type { Line } from './line.ts';
import type { Origins } from './origins.ts';
import type { Outbox } from './outbox.ts';
import type { Peers } from './peers.ts';
import type { Pulse } from './pulse.ts';

export interface AgentParts {
  agentId: string;
  chainId: string;
  encryption: EncryptionSecret;
  capabilities: readonly string[];
  line: Line;
  outbox: Outbox;
  origins: Origins;
  peers: Peers;
  pulse: Pulse;
  state: AgentState;
  events: Emitter;
  reach: ReachFailpoint;
}

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

/** Milliseconds between looks where no event has asked for one. */
export const SLOW_POLL = 60_000;
