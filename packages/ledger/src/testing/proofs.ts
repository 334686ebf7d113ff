/** Orders with an acceptanceHash, and proofs about them. */
import { bytesToBase64, canonicalize, sha256Hex, utf8Bytes, type JsonObject } from '@netd/protocol';
import { workOrderOf } from '@netd/protocol/testing';
import type { TestChain } from './test-chain.ts';
import { resultOf } from './work.ts';

const PIECE = 2_048;

function pieces(text: string): string[] {
  const base64 = bytesToBase64(utf8Bytes(text));
  return base64.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [];
}

export function acceptanceOf(acceptance: readonly object[]): { text: string; hash: string } {
  const salt = sha256Hex('salt');
  const document = { acceptance, salt, schema: 'NET-ACCEPTANCE/1' };
  const text = canonicalize(document);
  return { text, hash: sha256Hex(text) };
}

export const proofOf = (
  acceptance: readonly object[],
  result: string,
  orderId = 'o-1',
): JsonObject => ({
  orderId,
  acceptance: pieces(acceptanceOf(acceptance).text),
  result: pieces(result),
});

/** Delivers the order o-1 of alice by bob; the next block draws its jury. */
export function deliveredText(
  chain: TestChain,
  acceptance: readonly object[],
  result: string,
  members: JsonObject = {},
): TestChain {
  const acceptanceHash = acceptanceOf(acceptance).hash;
  const deliverableHash = sha256Hex(result);
  chain
    .does(
      'alice',
      'createWorkOrder',
      workOrderOf('o-1', { acceptanceHash, sealedVotes: false, ...members }),
    )
    .does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' })
    .does('bob', 'submitWorkResult', resultOf('o-1', { deliverableHash }));
  chain.block([]);
  return chain;
}
