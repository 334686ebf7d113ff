/** Roles, and the permissions they and applications give. */
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

/** A role somebody may apply for; OPERATOR is of genesis. */
export type ApplicationRole = Exclude<Role, 'OPERATOR'>;

/** A permission for one action; `*` stands for all and is given by genesis only. */
export interface Capability {
  action: string;
  /** The payload may act for this agent only. */
  agentId?: string;
  /** In unet: bounds all that one execution takes out of the account. */
  maxAmount?: number;
  expiresAtHeight?: number;
}

/** @param currentHeight the last committed height */
export function hasExpired({ expiresAtHeight }: Capability, currentHeight: number): boolean {
  return expiresAtHeight !== undefined && expiresAtHeight <= currentHeight;
}
