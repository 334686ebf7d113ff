/** What the state holds of sessions. */
import type { ChainPosition } from '@netd/protocol';

/** A key that acts for an agent within bounds, so that the agent's own can stay away from the machine that works. */
export interface SessionRecord {
  agentId: string;
  sessionId: string;
  publicKey: string;
  publicKeyHash: string;
  /** What it may do of all that the agent may. */
  actions: string[];
  /** What may leave the account by it, ever, in unet. */
  budget: number;
  /** Of that, what has left; for good. */
  spent: number;
  /** What one execution may take out of the account. */
  maxAmount: number | null;
  expiresAtHeight: number;
  label: string | null;
  grantedAt: ChainPosition;
}

/** Live sessions of an agent, at most MAX_SESSIONS, in the order in which they were granted. */
export interface SessionRosterRecord {
  sessionIds: string[];
}
