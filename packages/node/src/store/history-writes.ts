/** What the database holds of a block beside the state: header and certificate, transitions, events, and where they are found. */
import { eventSubjects } from '@netd/ledger';
import {
  canonicalize,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
} from '@netd/protocol';
import type { Database } from 'lmdb';
import { hexKey, position, type Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export interface BlockHistory {
  header: BlockHeader;
  certificate: FinalityCertificate;
  transitions: { hash: string; text: string }[];
  events: ChainEvent[];
  /** `merkleSubtrees` of each. */
  transitionSubtrees: readonly string[];
  eventSubtrees: readonly string[];
}

export function putHistory(writes: Writes, tables: Tables, block: BlockHistory): void {
  const { header, certificate, transitions, events } = block;
  const { height } = header;
  writes.put(tables.blocks, height, canonicalize({ header, certificate }));
  writes.put(tables.certificateIndex, hexKey(certificate.certificateHash), String(height));
  let firstEvent = 0;
  for (const [index, { hash, text }] of transitions.entries()) {
    let eventCount = 0;
    while (events[firstEvent + eventCount]?.transitionIndex === index) eventCount++;
    writes.put(tables.transitions, position(height, index), text);
    const place = `${height}/${index}/${firstEvent}/${eventCount}`;
    writes.put(tables.transitionIndex, hexKey(hash), place);
    firstEvent += eventCount;
  }
  for (const [index, event] of events.entries()) {
    putEvent(writes, tables, position(height, index), event);
  }
  putSubtrees(writes, tables.transitionSubtrees, height, block.transitionSubtrees);
  putSubtrees(writes, tables.eventSubtrees, height, block.eventSubtrees);
}

function putEvent(
  writes: Writes,
  { events, eventIndex }: Tables,
  at: number,
  event: ChainEvent,
): void {
  const { data, transitionIndex, type } = event;
  writes.put(events, at, canonicalize({ data, transitionIndex, type }));
  const { actors, order } = eventSubjects(event);
  writes.put(eventIndex, [`type:${type}`, at], '');
  for (const actor of actors) writes.put(eventIndex, [`agent:${actor}`, at], '');
  if (order !== null) writes.put(eventIndex, [`order:${order}`, at], '');
}

/** One subtree is the whole list, whose root the header has. */
function putSubtrees(
  writes: Writes,
  table: Database<Buffer, number>,
  height: number,
  roots: readonly string[],
): void {
  if (roots.length > 1) writes.put(table, height, Buffer.from(roots.join(''), 'hex'));
}
