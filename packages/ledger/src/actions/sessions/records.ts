import type { ChainPosition } from '@netd/protocol';

/** A key with bounded rights, so that the agent's own key can stay off the machine that does the work. */
export interface SessionRecord {
  agentId: string;
  sessionId: string;
  publicKey: string;
  publicKeyHash: string;
  actions: string[];
  /** Unet that may ever leave the account under the session. */
  budget: number;
  /** Unet of the budget that have left the account. */
  spent: number;
  /** Unet that one execution may take; null for no such limit. */
  maxAmount: number | null;
  expiresAtHeight: number;
  label: string | null;
  grantedAt: ChainPosition;
}

/** Live sessions in the order of granting; at most MAX_SESSIONS. */
export interface SessionRosterRecord {
  sessionIds: string[];
}
