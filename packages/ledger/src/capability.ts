/** Roles, and the permissions they and applications give. */
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

/** A role that can be applied for; OPERATOR is set in genesis. */
export type ApplicationRole = Exclude<Role, 'OPERATOR'>;

/** A permission for one action; `*` stands for all and is given by genesis only. */
export interface Capability {
  action: string;
  /** The payload may act for this agent only. */
  agentId?: string;
  /** Unet that one execution may take out of the account at most. */
  maxAmount?: number;
  expiresAtHeight?: number;
}

/** @param height the executing height */
export function isOver({ expiresAtHeight }: Capability, height: number): boolean {
  return expiresAtHeight !== undefined && hasExpired(expiresAtHeight, height);
}
