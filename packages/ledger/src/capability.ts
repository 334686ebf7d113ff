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
  /** Bounds the agentId of the payload. */
  agentId?: string;
  /** Unet per execution. */
  maxAmount?: number;
  expiresAtHeight?: number;
}

/** @param height the executing height */
export function isOver({ expiresAtHeight }: Capability, height: number): boolean {
  return expiresAtHeight !== undefined && hasExpired(expiresAtHeight, height);
}
