import type { WalletAttestation, WalletDistributionRecord } from './records.ts';

export const REQUIRED_WALLET_GROUPS = 2;

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
