/**
 * Tables of kind `chain` hold certified data, and `derived` tables could be rebuilt.
 * A position is height · 65,536 + index, because numbers sort in order and append cheaply.
 */
import { MAX_INDEX, sha256Hex } from '@netd/protocol';
import type { Database, RootDatabase } from 'lmdb';

export const POSITION_FACTOR = MAX_INDEX + 1;

export const position = (height: number, index: number): number => height * POSITION_FACTOR + index;
export const heightOf = (at: number): number => Math.floor(at / POSITION_FACTOR);
export const indexOf = (at: number): number => at % POSITION_FACTOR;

/** The positions of a block. */
export const rangeOfBlock = (height: number): { start: number; end: number } => ({
  start: position(height, 0),
  end: position(height + 1, 0),
});

export const rankOrder = (rank: number): number => 0 - rank;

/** LMDB's own limit is 1,978 bytes. */
export const MAX_STATE_KEY_LENGTH = 400;

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** Callers use hex digits; the table stores bytes. */
const HASH_KEYS = {
  // Without a start, LMDB would begin at a key of its own and skip hashes whose first byte is below 5.
  writeKey: (hash: unknown, target: Uint8Array, start: number): number =>
    typeof hash === 'string' ? start + bufferOf(target).write(hash, start, 'hex') : start,
  readKey: (source: Uint8Array, start: number, end: number): string =>
    bufferOf(source).toString('hex', start, end),
};

/** Raise it with every change of a table's form, and record that form (`scripts/make-database-fixture.ts`). */
export const STORE_FORMAT = 9;

export const OLDEST_FORMAT = 9;

/** The format since which a table has its current form, if that is not the oldest format. */
export const FORM_SINCE: Readonly<Partial<Record<string, number>>> = {};

export const TABLES = {
  meta: {
    kind: 'chain',
    key: 'name',
    value:
      'JSON: `format`, `genesis` (the document), `head` (height), `derived` (fingerprints of what follows from the records); `history` {from, source} while blocks before a checkpoint are missing; `fork` (evidence, of a follower that halted)',
    options: { encoding: 'string' },
  },
  blocks: {
    kind: 'chain',
    key: 'height',
    value: 'JSON {header, certificate}',
    options: { encoding: 'string' },
  },
  transitions: {
    kind: 'chain',
    key: 'position of the transition',
    value: 'canonical JSON of the envelope',
    options: { encoding: 'string' },
  },
  events: {
    kind: 'chain',
    key: 'position of the event',
    value: 'canonical JSON {data, transitionIndex, type}',
    options: { encoding: 'string' },
  },
  state: {
    kind: 'chain',
    key: 'state key',
    value: 'canonical JSON of the record',
    options: { encoding: 'string' },
  },
  tree: {
    kind: 'derived',
    key: 'first 18 bits of the key hashes',
    value:
      'subtree node; of more than 4 leaves the nodes at depth 20; 32-byte key and value hash of each leaf',
    options: { encoding: 'binary' },
  },
  treePages: {
    kind: 'derived',
    key: 'node above: 1, or 16 and the first 4 bits of the key hashes, or 512 and the first 9 bits',
    value:
      'kinds of the 16 nodes at depth 4, or of 32 at depth 9 or 14 (0 empty, 1 one leaf, 2 inner), then those not empty',
    options: { encoding: 'binary' },
  },
  transitionIndex: {
    kind: 'derived',
    key: 'transitionHash, 32 bytes',
    value: 'height/index/firstEvent/eventCount',
    options: { encoding: 'string', keyEncoder: HASH_KEYS },
  },
  certificateIndex: {
    kind: 'derived',
    key: 'certificateHash, 32 bytes',
    value: 'height',
    options: { encoding: 'string', keyEncoder: HASH_KEYS },
  },
  eventIndex: {
    kind: 'derived',
    key: '[agent:<id> | order:<id> | type:<name>, height]',
    value: 'indexes of these events in the block, two bytes each, the higher one first',
    options: { encoding: 'binary' },
  },
  nonces: {
    kind: 'derived',
    key: 'hash({actorId, nonce}), 32 bytes',
    value: 'expiry height',
    options: { encoding: 'string', keyEncoder: HASH_KEYS },
  },
  due: {
    kind: 'derived',
    key: '[queue, height or time in milliseconds, state key]',
    value: 'empty',
    options: { encoding: 'binary' },
  },
  lists: {
    kind: 'derived',
    key: '[list, value, position, state key], or [sorted index, value, minus the rank, state key]',
    value: 'empty',
    options: { encoding: 'binary' },
  },
  frames: {
    kind: 'derived',
    key: '[span, first height / span]',
    value: 'canonical JSON of the frame: sums, and parties and jobs if the span is 100',
    options: { encoding: 'string' },
  },
  transitionSubtrees: {
    kind: 'derived',
    key: 'height',
    value: 'roots of the subtrees of the transitions, 32 bytes each, if there is more than one',
    options: { encoding: 'binary' },
  },
  eventSubtrees: {
    kind: 'derived',
    key: 'height',
    value: 'roots of the subtrees of the events, 32 bytes each, if there is more than one',
    options: { encoding: 'binary' },
  },
} as const satisfies Record<
  string,
  {
    kind: 'chain' | 'derived';
    key: string;
    value: string;
    options: { encoding: 'string' | 'binary'; keyEncoder?: typeof HASH_KEYS };
  }
>;

export type TableName = keyof typeof TABLES;

type Key = string | number | (string | number)[];

export interface Tables {
  meta: Database<string, string>;
  blocks: Database<string, number>;
  transitions: Database<string, number>;
  events: Database<string, number>;
  state: Database<string, string>;
  tree: Database<Buffer, number>;
  treePages: Database<Buffer, number>;
  transitionIndex: Database<string, string>;
  certificateIndex: Database<string, string>;
  eventIndex: Database<Buffer, Key>;
  nonces: Database<string, string>;
  due: Database<Buffer, Key>;
  lists: Database<Buffer, Key>;
  frames: Database<string, Key>;
  transitionSubtrees: Database<Buffer, number>;
  eventSubtrees: Database<Buffer, number>;
}

export function openTables(root: RootDatabase): Tables {
  const names = Object.keys(TABLES) as TableName[];
  return Object.fromEntries(
    names.map((name) => [name, root.openDB({ name, ...TABLES[name].options })]),
  ) as unknown as Tables;
}

/** The value in tables whose key is the whole entry. */
export const EMPTY = Buffer.alloc(0);

export function indexesIn(row: Buffer): number[] {
  return Array.from({ length: row.length / 2 }, (_, at) => row.readUInt16BE(2 * at));
}

export function indexesRow(indexes: readonly number[]): Buffer {
  const row = Buffer.allocUnsafe(2 * indexes.length);
  for (const [at, index] of indexes.entries()) row.writeUInt16BE(index, 2 * at);
  return row;
}

/** Returns the value unchanged if it is short and plain, otherwise its hash. */
export function listValue(value: string): string {
  return /^[A-Za-z0-9._:-]{0,64}$/.test(value) ? value : sha256Hex(value);
}
