/** Blocks that are kept without being replayed: what their validators have certified, to the last byte. */
import {
  blockHash,
  eventHash,
  merkleSubtrees,
  rootOfSubtrees,
  type ChainEvent,
} from '@netd/protocol';
import { certificateFault } from '../../chain/certificate-check.ts';
import type { ValidatorSetAt } from '../../executor/chain-identity.ts';
import type { Tip } from '../../executor/tip.ts';
import {
  InvalidChainError,
  type ReadEnvelope,
  type SourceBlock,
} from '../../replay/block-replay.ts';
import type { BlockHistory } from '../../store/history-writes.ts';

/** Which block is meant. */
export type BlockId = Pick<Tip, 'height' | 'blockHash'>;

/** A block with all that its header commits to. */
export interface WholeBlock extends SourceBlock {
  read: ReadEnvelope[];
  events: ChainEvent[];
}

/**
 * What the database holds of the block with this hash.
 * @throws InvalidChainError where it is another one, or as `historyOf` does
 */
export function historyOfExpected(
  block: WholeBlock,
  { height, blockHash: hash }: BlockId,
  validatorSetAt: ValidatorSetAt,
): BlockHistory {
  if (block.header.height !== height || blockHash(block.header) !== hash) {
    throw new InvalidChainError(height, 'it is another one than its successor names');
  }
  return historyOf(block, validatorSetAt);
}

/**
 * What the database holds of a block.
 * @throws InvalidChainError where it is not certified, or is not all that its header commits to
 */
export function historyOf(block: WholeBlock, validatorSetAt: ValidatorSetAt): BlockHistory {
  const { header, certificate, read, events } = block;
  const fail = (what: string): never => {
    throw new InvalidChainError(header.height, what);
  };
  if (certificateFault(block, validatorSetAt) !== null) fail('the certificate is not valid');
  const transitions = read.map(({ encoded }) => ({
    hash: encoded.transitionHash,
    text: encoded.text,
  }));
  const transitionSubtrees = merkleSubtrees(transitions.map(({ hash }) => hash));
  const areTheirs =
    transitions.length === header.transitionCount &&
    rootOfSubtrees(transitionSubtrees) === header.transitionsRoot;
  if (!areTheirs) fail('the transitions are not those of the header');
  const eventSubtrees = subtreesOf(events);
  if (!eventSubtrees || rootOfSubtrees(eventSubtrees) !== header.eventsRoot) {
    fail('the events are not those of the header');
  }
  return {
    header,
    certificate,
    transitions,
    events,
    transitionSubtrees,
    eventSubtrees: eventSubtrees ?? [],
  };
}

/** Null where an event has no hash, because it nests too deep or holds half a character: it is not certified. */
function subtreesOf(events: readonly ChainEvent[]): string[] | null {
  try {
    return merkleSubtrees(events.map((event) => eventHash(event)));
  } catch {
    return null;
  }
}
