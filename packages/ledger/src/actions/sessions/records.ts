import { ActorId, ChainPosition, Hash, Height, PublicKeyPem, RecordId, Unet } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';

/** A key within bounds, so that the agent's own key can stay off the machine that does the work. */
export const SessionRecord = exactly({
  agentId: ActorId,
  sessionId: RecordId,
  publicKey: PublicKeyPem,
  publicKeyHash: Hash,
  actions: Type.Array(Type.String()),
  // Total that may ever leave the account.
  budget: Unet,
  spent: Type.Integer({ ...Unet, description: 'Of the budget, for good, in unet.' }),
  // The most that one execution may spend; null for no limit.
  maxAmount: orNull(Unet),
  expiresAtHeight: Height,
  label: orNull(Type.String()),
  grantedAt: ChainPosition,
});
export type SessionRecord = Static<typeof SessionRecord>;

export interface SessionRosterRecord {
  sessionIds: string[];
}
