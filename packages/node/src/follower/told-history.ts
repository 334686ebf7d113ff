/** Blocks that are kept without being replayed: what their validators have certified, to the last byte. */
import { blockHash, eventHash, merkleSubtrees, sha256Hex, type ValidatorSet } from '@netd/protocol';
import type { BlockHistory } from '../store/history-writes.ts';
import { hasItsTransitions, isCertified } from './fork.ts';
import { OriginFaultError, type ToldSourceBlock } from './origin.ts';

/**
 * What the database holds of the block with this hash.
 * @throws OriginFaultError where it is another one, or nobody has certified it
 */
export function historyOf(
  block: ToldSourceBlock,
  expected: { height: number; blockHash: string },
  validatorSet: ValidatorSet,
): BlockHistory {
  const { header, certificate, transitions, events } = block;
  const { height } = expected;
  const fail = (what: string): never => {
    throw new OriginFaultError(`block ${height}: ${what}`);
  };
  if (header.height !== height || blockHash(header) !== expected.blockHash) {
    fail('it is another one than its successor names');
  }
  if (!isCertified(block, validatorSet)) fail('the certificate is not valid');
  if (!hasItsTransitions(block)) fail('the transitions are not those of the header');
  const hashes = transitions.map(sha256Hex);
  return {
    header,
    certificate,
    transitions: transitions.map((text, index) => ({ hash: hashes[index] ?? '', text })),
    events,
    transitionSubtrees: merkleSubtrees(hashes),
    eventSubtrees: merkleSubtrees(events.map((event) => eventHash(event))),
  };
}
