import { eventSubjects } from '@netd/ledger';
import {
  canonicalize,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
} from '@netd/protocol';
import type { Database } from 'lmdb';
import { indexesRow, position, type Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export interface BlockHistory {
  header: BlockHeader;
  certificate: FinalityCertificate;
  transitions: { hash: string; text: string }[];
  events: ChainEvent[];
  transitionSubtrees: readonly string[];
  eventSubtrees: readonly string[];
}

export function putHistory(writes: Writes, tables: Tables, block: BlockHistory): void {
  const { header, certificate, transitions, events } = block;
  const { height } = header;
  writes.put(tables.blocks, height, canonicalize({ header, certificate }));
  for (const [index, { text }] of transitions.entries()) {
    writes.put(tables.transitions, position(height, index), text);
  }
  for (const [index, { data, transitionIndex, type }] of events.entries()) {
    const text = canonicalize({ data, transitionIndex, type });
    writes.put(tables.events, position(height, index), text);
  }
  putHistoryIndexes(writes, tables, block);
}

export function putHistoryIndexes(writes: Writes, tables: Tables, block: BlockHistory): void {
  const { header, certificate, transitions, events } = block;
  const { height } = header;
  writes.put(tables.certificateIndex, certificate.certificateHash, String(height));
  let firstEvent = 0;
  for (const [index, { hash }] of transitions.entries()) {
    let eventCount = 0;
    while (events[firstEvent + eventCount]?.transitionIndex === index) eventCount++;
    const place = `${height}/${index}/${firstEvent}/${eventCount}`;
    writes.put(tables.transitionIndex, hash, place);
    firstEvent += eventCount;
  }
  const bySubject = new Map<string, number[]>();
  for (const [index, event] of events.entries()) {
    for (const subject of subjectsOf(event)) {
      const indexes = bySubject.get(subject);
      if (indexes) indexes.push(index);
      else bySubject.set(subject, [index]);
    }
  }
  for (const [subject, indexes] of bySubject) {
    writes.put(tables.eventIndex, [subject, height], indexesRow(indexes));
  }
  putSubtrees(writes, tables.transitionSubtrees, height, block.transitionSubtrees);
  putSubtrees(writes, tables.eventSubtrees, height, block.eventSubtrees);
}

function subjectsOf(event: ChainEvent): string[] {
  const { actors, order } = eventSubjects(event);
  const subjects = [`type:${event.type}`];
  for (const actor of actors) subjects.push(`agent:${actor}`);
  if (order !== null) subjects.push(`order:${order}`);
  return subjects;
}

function putSubtrees(
  writes: Writes,
  table: Database<Buffer, number>,
  height: number,
  roots: readonly string[],
): void {
  if (roots.length > 1) writes.put(table, height, Buffer.from(roots.join(''), 'hex'));
}
