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

export type BlockId = Pick<Tip, 'height' | 'blockHash'>;

export interface WholeBlock extends SourceBlock {
  read: ReadEnvelope[];
  events: ChainEvent[];
}

/** @throws InvalidChainError if it is another block, or not proven */
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

/** @throws InvalidChainError if the block is not certified, or differs from what its header commits to */
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

/** Returns null if an event cannot be hashed. */
function subtreesOf(events: readonly ChainEvent[]): string[] | null {
  try {
    return merkleSubtrees(events.map((event) => eventHash(event)));
  } catch {
    return null;
  }
}
