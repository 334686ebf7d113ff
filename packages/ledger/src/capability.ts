/** Roles, and the capabilities that roles and applications give. */
import { hasExpired } from './deadline.ts';

export const ROLES = [
  'AGENT',
  'HUMAN',
  'VERIFIER',
  'VALIDATOR',
  'RUNTIME_PROVIDER',
  'AUDITOR',
  'GOVERNOR',
  'OPERATOR',
] as const;
export type Role = (typeof ROLES)[number];

/** A role that an actor can apply for. Only genesis sets OPERATOR. */
export type ApplicationRole = Exclude<Role, 'OPERATOR'>;

/** Permission for one action. Only genesis gives `*`, which means all actions. */
export interface Capability {
  action: string;
  /** If present, the payload may act for this agent only. */
  agentId?: string;
  /** The most unet that one execution may take from the account. */
  maxAmount?: number;
  expiresAtHeight?: number;
}

/**
 * Returns true if the capability has expired.
 * @param height the executing height
 */
export function isOver({ expiresAtHeight }: Capability, height: number): boolean {
  return expiresAtHeight !== undefined && hasExpired(expiresAtHeight, height);
}
