import { Type } from '@netd/protocol/type';
import type { WalletAttestation, WalletChannelName, WalletDistributionRecord } from './records.ts';

export const WALLET_CHANNELS = [
  'CHROME_WEB_STORE',
  'FIREFOX_ADDONS',
  'NPM',
  'APP_STORE',
  'PLAY_STORE',
  'DIRECT_DOWNLOAD',
] as const satisfies readonly WalletChannelName[];

export const WalletVersion = Type.String({
  pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$',
  description: '1 to 64 letters, digits, dots, pluses or hyphens, as 1.4.0.',
});

export const REQUIRED_WALLET_GROUPS = 2;

/** @param attestations one per group */
export function statusOf(
  attestations: readonly WalletAttestation[],
): Pick<WalletDistributionRecord, 'status' | 'artifactHash'> {
  const groups = new Map<string, number>();
  for (const { artifactHash } of attestations) {
    groups.set(artifactHash, (groups.get(artifactHash) ?? 0) + 1);
  }
  const agreed = [...groups].filter(([, found]) => found >= REQUIRED_WALLET_GROUPS);
  const [first] = agreed;
  if (!first) return { status: 'PENDING', artifactHash: null };
  if (agreed.length > 1) return { status: 'CONFLICTING', artifactHash: null };
  return { status: 'ATTESTED', artifactHash: first[0] };
}
