import type { TokenRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';

export function requireMintAuthority({ mintAuthority }: TokenRecord, actorId: string): void {
  requireThat(mintAuthority !== null, 'MINT_AUTHORITY_RENOUNCED', '/payload/tokenId');
  requireThat(
    mintAuthority === actorId,
    'NOT_MINT_AUTHORITY',
    '/payload/tokenId',
    () => `it is ${mintAuthority}`,
  );
}
