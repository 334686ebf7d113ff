/** Blocks that are kept without being replayed: what their validators have certified, to the last byte. */
import {
  blockHash,
  eventHash,
  merkleSubtrees,
  rootOfSubtrees,
  type ChainEvent,
} from '@netd/protocol';
import type { BlockHistory, ValidatorSetAt } from '@netd/engine';
import { isCertified } from './fork.ts';
import { OriginFaultError, type ReceivedSourceBlock } from './origin.ts';

/**
 * What the database holds of the block with this hash.
 * @throws OriginFaultError where it is another one, or is not certified
 */
export function historyOf(
  block: ReceivedSourceBlock,
  expected: { height: number; blockHash: string },
  validatorSetAt: ValidatorSetAt,
): BlockHistory {
  const { header, certificate, read, events } = block;
  const { height } = expected;
  const fail = (what: string): never => {
    throw new OriginFaultError(`block ${height}: ${what}`);
  };
  if (header.height !== height || blockHash(header) !== expected.blockHash) {
    fail('it is another one than its successor names');
  }
  if (!isCertified(block, validatorSetAt)) fail('the certificate is not valid');
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
