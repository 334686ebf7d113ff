import { ActorId, Height, Unet } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
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
export const Capability = exactly({
  action: Type.String(),
  // Bounds the agentId of the payload.
  agentId: Type.Optional(ActorId),
  maxAmount: Type.Optional(Unet),
  expiresAtHeight: Type.Optional(Height),
});
export type Capability = Static<typeof Capability>;

export function isOver({ expiresAtHeight }: Capability, height: number): boolean {
  return expiresAtHeight !== undefined && hasExpired(expiresAtHeight, height);
}
