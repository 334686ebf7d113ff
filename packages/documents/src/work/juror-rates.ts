import type { Snapshot } from '@netd/engine/reads';
import { ActorId } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';

export const JurorRates = exactly(
  {
    verifierId: ActorId,
    agreed: Type.Integer(),
    wrong: Type.Integer(),
    silent: Type.Integer({ description: 'No vote, or UNJUDGEABLE.' }),
  },
  {
    title: 'JurorRates',
    description:
      'Votes on orders whose answer an operator knew and published after their end: with it, against it, neither.',
  },
);

export function jurorRates(
  snapshot: Snapshot,
  verifierId: string,
): Static<typeof JurorRates> | null {
  const { measured } = snapshot.get('verifier', verifierId) ?? {};
  return measured ? { verifierId, ...measured } : null;
}
