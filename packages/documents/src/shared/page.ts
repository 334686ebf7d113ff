import type { Collections, ListedCollection, ListName } from '@netd/ledger';
import { orNull, Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { makeCursor, readCursor } from './cursor.ts';

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1_000;

export const pageQuery = (
  limits: { default: number; maximum: number } = {
    default: DEFAULT_PAGE_SIZE,
    maximum: MAX_PAGE_SIZE,
  },
) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.maximum,
      default: limits.default,
      description: `How many to list, ${limits.default} unless told.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' }),
  ),
});

export const PAGE_QUERY = pageQuery();

/** `total` counts the filtered items of all pages; null if unknown. `nextCursor` is null at the end. */
export const PAGE_CONTENT = {
  total: orNull(Type.Integer({ minimum: 0 })),
  nextCursor: orNull(Type.String()),
};

export interface ListPage<Item> {
  items: Item[];
  total: number | null;
  nextCursor: string | null;
}

export interface ListChoice<Name extends ListedCollection> {
  list: ListName<Name>;
  value?: string;
}

/**
 * Returns a page of the list, newest first.
 * @param options.filters everything besides limit and cursor that selects items; binds the cursor
 * @param options.keep returns false for records to omit
 * @param options.total number of matches, if known; computed for a list that fits on one page
 * @throws ApiError CURSOR_INVALID if the cursor is of another list
 */
export function pageOf<Name extends ListedCollection>(
  snapshot: Snapshot,
  collection: Name,
  options: ListChoice<Name> & {
    filters?: object;
    page: { limit?: number; cursor?: string };
    keep?: (record: Collections[Name]) => boolean;
    total?: number | null;
  },
): ListPage<Collections[Name]> {
  const { list, value, filters = {}, page, keep, total = null } = options;
  const below = readCursor(collection, filters, page.cursor);
  const { items, next } = snapshot.list(collection, list, {
    ...(value === undefined ? {} : { value }),
    ...(keep ? { keep } : {}),
    below,
    limit: page.limit ?? DEFAULT_PAGE_SIZE,
  });
  return {
    items,
    total: total ?? (below === null && next === null ? items.length : null),
    nextCursor: makeCursor(collection, filters, next),
  };
}

export const PREFIX_QUERY = {
  prefix: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The first `limit` whose ids begin with it, in their order.',
    }),
  ),
};

/**
 * Returns a single page of the records with a prefix.
 *
 * @throws ApiError CURSOR_INVALID if a cursor is given
 */
export function prefixPageOf<Name extends ListedCollection>(
  snapshot: Snapshot,
  collection: Name,
  options: {
    prefix: string;
    page: { limit?: number; cursor?: string };
    keep?: (record: Collections[Name]) => boolean;
  },
): ListPage<Collections[Name]> {
  const { prefix, page, keep } = options;
  readCursor(collection, { prefix }, page.cursor);
  const limit = page.limit ?? DEFAULT_PAGE_SIZE;
  const items = snapshot.withPrefix(collection, prefix, { limit, ...(keep ? { keep } : {}) });
  return { items, total: items.length < limit ? items.length : null, nextCursor: null };
}
