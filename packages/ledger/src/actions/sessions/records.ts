import type { ChainPosition } from '@netd/protocol';

/** A bounded key, so that the agent's own key can stay off the machine that does the work. */
export interface SessionRecord {
  agentId: string;
  sessionId: string;
  publicKey: string;
  publicKeyHash: string;
  actions: string[];
  /** Unet that may ever leave the account. */
  budget: number;
  spent: number;
  /** Unet per execution; null for no limit. */
  maxAmount: number | null;
  expiresAtHeight: number;
  label: string | null;
  grantedAt: ChainPosition;
}

/** At most MAX_SESSIONS. */
export interface SessionRosterRecord {
  sessionIds: string[];
}
