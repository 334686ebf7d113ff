import { Unet } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';

export const Reserve = exactly(
  {
    balance: Unet,
    bonded: Unet,
    earned: Type.Integer({ ...Unet, description: 'By verified work, ever.' }),
  },
  { title: 'Reserve' },
);

export function reserveOf(snapshot: Snapshot, agentId: string): Static<typeof Reserve> {
  const bonds = [
    snapshot.get('verifier', agentId)?.bond,
    snapshot.get('validator-candidate', agentId)?.selfBond,
    snapshot.get('runtime-provider', agentId)?.bond,
  ];
  return {
    balance: snapshot.get('account', agentId)?.balance ?? 0,
    bonded: bonds.reduce<number>((sum, bond) => sum + (bond ?? 0), 0),
    earned: snapshot.get('work-stats', agentId)?.earned ?? 0,
  };
}
