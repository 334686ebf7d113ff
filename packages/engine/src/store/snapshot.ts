import { validatorSetAt } from '@netd/ledger';
import type {
  CollectionName,
  Collections,
  IdOf,
  ListedCollection,
  ListName,
  SortedCollection,
  SortedIndexName,
} from '@netd/ledger';
import { makeValidatorSet, type Validator, type ValidatorSet } from '@netd/protocol';
import { HistoryReads } from './history-reads.ts';
import { listValue, MAX_STATE_KEY_LENGTH, rankOrder, type TableName } from './tables.ts';

export { ReadBudgetError, type StoredBlock, type StoredEvent } from './history-reads.ts';

export interface Page<Item> {
  items: Item[];
  /** Position of the last item; null if no more follow. */
  next: number | null;
}

/** Bounds the records read for a page. A page that filters many is short. */
const MAX_EXAMINED = 5_000;

export class Snapshot extends HistoryReads {
  /** Returns this node's evidence of a fork, which is no part of the chain's state. */
  forkText(): string | null {
    return this.tables.meta.get('fork', { transaction: this.transaction }) ?? null;
  }

  /** Returns the last height at which the intent was valid; undefined if the nonce is not spent. */
  spentNonceExpiry(nonceHash: string): number | undefined {
    const text = this.tables.nonces.get(nonceHash, { transaction: this.transaction });
    return text === undefined ? undefined : Number(text);
  }

  get<Name extends CollectionName>(
    collection: Name,
    id: IdOf<Name>,
  ): Collections[Name] | undefined {
    const text = this.stateText(`${collection}/${id}`);
    return text === undefined ? undefined : (JSON.parse(text) as Collections[Name]);
  }

  stateText(key: string): string | undefined {
    if (key.length > MAX_STATE_KEY_LENGTH) return undefined;
    const text = this.tables.state.get(key, { transaction: this.transaction });
    this.pay(text ?? '');
    return text;
  }

  bucket(bucket: number): Uint8Array | undefined {
    return this.tables.tree.get(bucket, { transaction: this.transaction });
  }

  treePage(page: number): Uint8Array | undefined {
    return this.tables.treePages.get(page, { transaction: this.transaction });
  }

  *pairs(): Generator<{ key: string; text: string }, void> {
    const range = this.tables.state.getRange({ transaction: this.transaction });
    for (const { key, value } of range) yield { key, text: value };
  }

  *entries(table: TableName): Generator<{ key: unknown; value: string | Buffer }, void> {
    const range = this.tables[table].getRange({ transaction: this.transaction });
    for (const { key, value } of range) yield { key, value };
  }

  validatorSetAt(height: number): ValidatorSet {
    const changing = validatorSetAt(this, height);
    if (changing) return changing;
    const range = this.tables.state.getRange({
      start: 'validator/',
      end: 'validator0',
      transaction: this.transaction,
    });
    const { chainId, epoch } = this.block.header;
    return makeValidatorSet(
      chainId,
      epoch,
      [...range].map(({ value }) => JSON.parse(value) as Validator),
    );
  }

  /**
   * Returns records newest first.
   * @param below `next` of the previous page
   * @param keep returns false to skip a record, for example an expired one
   */
  list<Name extends ListedCollection>(
    _collection: Name,
    list: ListName<Name>,
    options: {
      value?: string;
      below?: number | null;
      limit: number;
      keep?: (record: Collections[Name]) => boolean;
    },
  ): Page<Collections[Name]> {
    const value = listValue(options.value ?? '');
    const start = options.below ?? Number.MAX_SAFE_INTEGER;
    const range = this.tables.lists.getKeys({
      start: [list, value, start],
      end: [list, value, -1],
      reverse: true,
      transaction: this.transaction,
    });
    const items: Collections[Name][] = [];
    let last: number | null = null;
    let examined = 0;
    for (const key of range) {
      const [, , at, stateKey] = key as [string, string, number, string];
      if (at >= start) continue;
      if (examined++ === MAX_EXAMINED) return { items, next: last };
      const text = this.stateText(stateKey);
      if (text === undefined)
        throw new Error(`the list ${list} names ${stateKey}, which is not there`);
      const record = JSON.parse(text) as Collections[Name];
      const kept = !options.keep || options.keep(record);
      if (kept && items.length === options.limit) return { items, next: last };
      if (kept) items.push(record);
      last = at;
    }
    return { items, next: null };
  }

  /** Returns records in id order. */
  withPrefix<Name extends ListedCollection>(
    collection: Name,
    prefix: string,
    { limit, keep }: { limit: number; keep?: (record: Collections[Name]) => boolean },
  ): Collections[Name][] {
    const start = `${collection}/${prefix}`;
    if (start.length > MAX_STATE_KEY_LENGTH) return [];
    const range = this.tables.state.getRange({ start, transaction: this.transaction });
    const items: Collections[Name][] = [];
    let examined = 0;
    for (const { key, value } of range) {
      if (!key.startsWith(start) || items.length === limit || examined++ === MAX_EXAMINED) break;
      this.pay(value);
      const record = JSON.parse(value) as Collections[Name];
      if (!keep || keep(record)) items.push(record);
    }
    return items;
  }

  /** Returns records with the highest rank first. */
  top<Name extends SortedCollection>(
    _collection: Name,
    index: SortedIndexName<Name>,
    options: { value?: string; limit: number },
  ): Collections[Name][] {
    const value = listValue(options.value ?? '');
    const range = this.tables.lists.getKeys({
      start: [index, value, rankOrder(Number.MAX_SAFE_INTEGER)],
      end: [index, value, 1],
      limit: options.limit,
      transaction: this.transaction,
    });
    return [...range].map((key) => {
      const stateKey = (key as [string, string, number, string])[3];
      const text = this.stateText(stateKey);
      if (text === undefined)
        throw new Error(`the sorted index ${index} names ${stateKey}, which is not there`);
      return JSON.parse(text) as Collections[Name];
    });
  }
}
