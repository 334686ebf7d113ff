/** The wallet that this node serves, as its files are named by the build: the same for as long as the process lives. */
import { Hash } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';

const closed = { additionalProperties: false };

export const WalletBuild = Type.Object(
  {
    version: Type.String(),
    madeOn: Type.String({ description: 'The day of this version, YYYY-MM-DD.' }),
    path: Type.String({ description: 'Where browsers find it.' }),
    files: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          sha256: Hash,
          bytes: Type.Integer({ minimum: 0 }),
        },
        closed,
      ),
      { description: 'All that a browser loads for the explorer and the wallet in it.' },
    ),
  },
  { title: 'WalletBuild', ...closed },
);
export type WalletBuild = Static<typeof WalletBuild>;

let served: WalletBuild | null = null;

/** Told once, at the start, by what serves the files. */
export function setServedWallet(build: WalletBuild | null): void {
  served = build;
}

export const servedWallet = (): WalletBuild | null => served;
