import {
  merkleProofInSubtrees,
  merkleRoot,
  sha256Hex,
  SUBTREE_LEAVES,
  type BlockHeader,
  type FinalityCertificate,
  type Frame,
  type FrameSpan,
  type JsonObject,
  type MerkleProof,
  type Receipt,
} from '@netd/protocol';
import type { Transaction } from 'lmdb';
import { historyIn, HistoryNotHeldError, type HistoryRange } from './history-range.ts';
import {
  heightOf,
  indexesIn,
  indexOf,
  position,
  POSITION_FACTOR,
  rangeOfBlock,
  type Tables,
} from './tables.ts';

export interface StoredBlock {
  header: BlockHeader;
  certificate: FinalityCertificate;
}

export interface StoredTransition {
  height: number;
  index: number;
  /** Canonical JSON. */
  text: string;
}

export interface StoredEvent {
  height: number;
  index: number;
  transitionIndex: number;
  type: string;
  data: Record<string, unknown>;
}

export class ReadBudgetError extends Error {
  override name = 'ReadBudgetError';
}

const RECORD_COST = 100;
const TIMESTAMP = '"timestamp":"';

export abstract class HistoryReads {
  protected readonly tables: Tables;
  protected readonly transaction: Transaction;
  readonly height: number;
  private head: StoredBlock | null = null;
  private held: HistoryRange | null = null;
  private budget: number;

  /** @param budget characters that may be read, plus RECORD_COST per record */
  constructor(tables: Tables, transaction: Transaction, budget = Infinity) {
    this.tables = tables;
    this.transaction = transaction;
    this.budget = budget;
    this.height = Number(tables.meta.get('head', { transaction }) ?? -1);
  }

  close(): void {
    this.transaction.done();
  }

  get block(): StoredBlock {
    this.head ??= this.blockAt(this.height);
    if (!this.head) throw new Error('the database is empty');
    return this.head;
  }

  get history(): HistoryRange {
    this.held ??= historyIn(this.tables, this.transaction);
    return this.held;
  }

  /** @throws HistoryNotHeldError if a block from this height on may be missing */
  requireHeld(height: number): void {
    if (height < this.history.from) throw new HistoryNotHeldError(this.history);
  }

  /**
   * Returns null if the chain has no block of this height.
   * @param isPaid true to charge for its text, most of which is the votes of its certificate
   * @throws HistoryNotHeldError if the node lacks the block; all reads below throw it too
   */
  blockAt(height: number, isPaid = false): StoredBlock | null {
    const text = this.tables.blocks.get(height, { transaction: this.transaction });
    if (text === undefined && height >= 0) this.requireHeld(height);
    if (isPaid) this.pay(text ?? '');
    return text === undefined ? null : (JSON.parse(text) as StoredBlock);
  }

  /**
   * Returns the timestamp of a block; null if this node or the chain has no such block. Does not parse the block,
   * because its certificate may have many votes.
   */
  timeAt(height: number): string | null {
    const text = this.tables.blocks.get(height, { transaction: this.transaction });
    this.pay('');
    // The header follows the certificate, and nothing after its timestamp has such a member.
    return (
      text?.slice(text.lastIndexOf(TIMESTAMP)).slice(TIMESTAMP.length, TIMESTAMP.length + 24) ??
      null
    );
  }

  protected pay(text: string): void {
    this.budget -= RECORD_COST + text.length;
    if (this.budget < 0) throw new ReadBudgetError('the read has taken more than its budget');
  }

  private taken<Entry extends { value: string }, Item>(
    range: Iterable<Entry>,
    make: (entry: Entry) => Item,
  ): Item[] {
    const items: Item[] = [];
    for (const entry of range) {
      this.pay(entry.value);
      items.push(make(entry));
    }
    return items;
  }

  heightOfCertificate(certificateHash: string): number | null {
    const text = this.tables.certificateIndex.get(certificateHash, {
      transaction: this.transaction,
    });
    if (text === undefined) this.requireHeld(0);
    return text === undefined ? null : Number(text);
  }

  transitionAt(height: number, index: number): StoredTransition | null {
    const text = this.tables.transitions.get(position(height, index), {
      transaction: this.transaction,
    });
    if (text === undefined) this.requireHeld(height);
    return text === undefined ? null : { height, index, text };
  }

  transitionsOf(height: number): StoredTransition[] {
    this.requireHeld(height);
    const range = this.tables.transitions.getRange({
      ...rangeOfBlock(height),
      transaction: this.transaction,
    });
    return this.taken(range, ({ key, value }) => ({ height, index: indexOf(key), text: value }));
  }

  eventTexts(height: number): { index: number; text: string }[] {
    this.requireHeld(height);
    const range = this.tables.events.getRange({
      ...rangeOfBlock(height),
      transaction: this.transaction,
    });
    return this.taken(range, ({ key, value }) => ({ index: indexOf(key), text: value }));
  }

  eventsOf(height: number, first = 0, count = POSITION_FACTOR): StoredEvent[] {
    this.requireHeld(height);
    const range = this.tables.events.getRange({
      start: position(height, first),
      end: position(height + 1, 0),
      limit: count,
      transaction: this.transaction,
    });
    return this.taken(range, ({ key, value }) => parseEvent(key, value));
  }

  /** @param subject `agent:<id>`, `order:<id>` or `type:<name>` */
  eventsAfter(after: number, limit: number, subject?: string): StoredEvent[] {
    this.requireHeld(heightOf(after + 1));
    if (subject === undefined) {
      const range = this.tables.events.getRange({
        start: after + 1,
        limit,
        transaction: this.transaction,
      });
      return this.taken(range, ({ key, value }) => parseEvent(key, value));
    }
    const events: StoredEvent[] = [];
    for (const at of this.positionsOf(subject, heightOf(after + 1))) {
      if (events.length === limit) break;
      const text =
        at > after ? this.tables.events.get(at, { transaction: this.transaction }) : undefined;
      if (text === undefined) continue;
      this.pay(text);
      events.push(parseEvent(at, text));
    }
    return events;
  }

  eventsOfAnyAfter(after: number, limit: number, subjects: Iterable<string>): StoredEvent[] {
    this.requireHeld(heightOf(after + 1));
    const positions = new Set<number>();
    for (const subject of subjects) {
      let left = limit;
      for (const at of this.positionsOf(subject, heightOf(after + 1))) {
        if (at <= after) continue;
        if (left-- === 0) break;
        positions.add(at);
      }
    }
    const first = [...positions].toSorted((one, other) => one - other).slice(0, limit);
    return first.flatMap((at) => {
      const text = this.tables.events.get(at, { transaction: this.transaction });
      if (text === undefined) return [];
      this.pay(text);
      return [parseEvent(at, text)];
    });
  }

  /**
   * Returns events newest first.
   * @throws HistoryNotHeldError if missing older blocks may hold some of them
   */
  eventsBefore(before: number, limit: number, subject?: string): StoredEvent[] {
    const { transaction } = this;
    const events: StoredEvent[] = [];
    if (subject === undefined) {
      const range = this.tables.events.getRange({
        start: before - 1,
        reverse: true,
        limit,
        transaction,
      });
      events.push(...this.taken(range, ({ key, value }) => parseEvent(key, value)));
    } else {
      for (const at of this.positionsOf(subject, 0, heightOf(before))) {
        if (events.length === limit) break;
        if (at >= before) continue;
        const text = this.tables.events.get(at, { transaction });
        if (text === undefined) throw new Error(`the index of ${subject} names no event at ${at}`);
        this.pay(text);
        events.push(parseEvent(at, text));
      }
    }
    if (events.length === 0) this.requireHeld(0);
    return events;
  }

  latestEvents(subject: string, limit: number): StoredEvent[] {
    const found = this.eventsBefore(position(this.height + 1, 0), limit, subject);
    if (found.length < limit) this.requireHeld(0);
    return found;
  }

  eventCountFrom(height: number, subject: string, limit: number): number {
    let count = 0;
    for (const _ of this.positionsOf(subject, height)) if (++count === limit) break;
    if (count < limit) this.requireHeld(height);
    return count;
  }

  /**
   * Returns frames newest first, each with its index. Leaves out those whose blocks are not all held: if it
   * returns too few, call `requireHeld`.
   * @param below an index
   */
  framesBelow(span: FrameSpan, below: number, limit: number): { index: number; frame: Frame }[] {
    const range = this.tables.frames.getRange({
      start: [span, below - 1],
      end: [span, Math.ceil(this.history.from / span) - 1],
      reverse: true,
      limit,
      transaction: this.transaction,
    });
    return this.taken(range, ({ key, value }) => ({
      index: (key as [number, number])[1],
      frame: JSON.parse(value) as Frame,
    }));
  }

  private *positionsOf(subject: string, from: number, downFrom?: number): Generator<number, void> {
    const newestFirst = downFrom !== undefined;
    const [first, beyond] = [
      [subject, from],
      [subject, downFrom ?? Number.MAX_SAFE_INTEGER],
    ];
    const rows = this.tables.eventIndex.getRange({
      start: newestFirst ? beyond : first,
      end: newestFirst ? [subject, from - 1] : beyond,
      reverse: newestFirst,
      transaction: this.transaction,
    });
    for (const { key, value } of rows) {
      const height = (key as [string, number])[1];
      const indexes = indexesIn(value);
      if (newestFirst) indexes.reverse();
      for (const index of indexes) yield position(height, index);
    }
  }

  eventCount(height: number): number {
    const [last] = this.tables.events.getKeys({
      start: position(height + 1, 0) - 1,
      end: position(height, 0) - 1,
      reverse: true,
      limit: 1,
      transaction: this.transaction,
    });
    if (last === undefined) this.requireHeld(height);
    return last === undefined ? 0 : indexOf(last) + 1;
  }

  /** @throws RangeError if the block has no such event */
  eventProof(height: number, index: number): MerkleProof {
    return this.proofInBlock('event', height, { index, treeSize: this.eventCount(height) });
  }

  private proofInBlock(
    of: 'transition' | 'event',
    height: number,
    { index, treeSize }: { index: number; treeSize: number },
  ): MerkleProof {
    const { transaction } = this;
    const first = index - (index % SUBTREE_LEAVES);
    const range = this.tables[`${of}s`].getRange({
      start: position(height, first),
      end: position(height + 1, 0),
      limit: SUBTREE_LEAVES,
      transaction,
    });
    const own = [...range].map(({ value }) => sha256Hex(value));
    const stored = this.tables[`${of}Subtrees`].get(height, { transaction });
    const subtrees = stored ? (stored.toString('hex').match(/.{64}/g) ?? []) : [merkleRoot(own)];
    return merkleProofInSubtrees(subtrees, own, { index, treeSize });
  }

  findTransition(
    transitionHash: string,
  ): { height: number; index: number; firstEvent: number; eventCount: number } | null {
    const text = this.tables.transitionIndex.get(transitionHash, {
      transaction: this.transaction,
    });
    if (text === undefined) this.requireHeld(0);
    if (text === undefined) return null;
    const [height = 0, index = 0, firstEvent = 0, eventCount = 0] = text.split('/').map(Number);
    return { height, index, firstEvent, eventCount };
  }

  receipt(transitionHash: string): Receipt | null {
    const found = this.findTransition(transitionHash);
    const block = found && this.blockAt(found.height);
    if (!found || !block) return null;
    const events =
      found.eventCount === 0 ? [] : this.eventsOf(found.height, found.firstEvent, found.eventCount);
    return {
      height: found.height,
      blockHash: block.certificate.blockHash,
      stateRoot: block.header.stateRoot,
      transitionHash,
      index: found.index,
      certificateHash: block.certificate.certificateHash,
      events: events.map(({ index, type, data }) => ({
        id: `${found.height}.${index}`,
        type,
        data,
      })),
    };
  }

  provenTransition(
    transitionHash: string,
  ): { envelope: JsonObject; proof: MerkleProof; transitionsRoot: string } | null {
    const found = this.findTransition(transitionHash);
    const block = found && this.blockAt(found.height);
    const transition = found && this.transitionAt(found.height, found.index);
    if (!block || !transition) return null;
    const { height, index } = found;
    const { transitionCount: treeSize, transitionsRoot } = block.header;
    return {
      envelope: JSON.parse(transition.text) as JsonObject,
      proof: this.proofInBlock('transition', height, { index, treeSize }),
      transitionsRoot,
    };
  }
}

function parseEvent(at: number, text: string): StoredEvent {
  const event = JSON.parse(text) as {
    type: string;
    transitionIndex: number;
    data: Record<string, unknown>;
  };
  return { height: heightOf(at), index: indexOf(at), ...event };
}
