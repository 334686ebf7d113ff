import type { TokenRecord } from './records.ts';
import { RuleError } from '../../rule-error.ts';

/** @throws RuleError MINT_AUTHORITY_RENOUNCED, NOT_MINT_AUTHORITY */
export function requireMintAuthority({ mintAuthority }: TokenRecord, actorId: string): void {
  if (mintAuthority === null) {
    throw new RuleError('MINT_AUTHORITY_RENOUNCED', { path: '/payload/tokenId' });
  }
  if (mintAuthority !== actorId) {
    throw new RuleError('NOT_MINT_AUTHORITY', {
      path: '/payload/tokenId',
      message: `it is ${mintAuthority}`,
    });
  }
}
