/** What the state holds of sessions. */
import type { ChainPosition } from '@netd/protocol';

/** A key that acts for an agent within bounds, so that the agent's own can stay away from the machine that works. */
export interface SessionRecord {
  agentId: string;
  sessionId: string;
  publicKey: string;
  publicKeyHash: string;
  /** The actions of the agent that the session may do. */
  actions: string[];
  /** Unet that may leave the account under the session, ever. */
  budget: number;
  /** Unet of the budget that have left the account, for good. */
  spent: number;
  /** Unet that one execution may take out of the account; null for no such limit. */
  maxAmount: number | null;
  expiresAtHeight: number;
  label: string | null;
  grantedAt: ChainPosition;
}

/** Live sessions of an agent, at most MAX_SESSIONS, in the order in which they were granted. */
export interface SessionRosterRecord {
  sessionIds: string[];
}
