/** Removes malformed entries and very long lists from documents, because any node may have served them. */

const MOST_ROWS = 1_000;
const LISTS = ['items', 'events', 'transitions'];

/** Keeps only objects in lists, and at most 1,000 of them. */
export function wellFormed<Document>(document: Document): Document {
  if (!isObject(document)) return document;
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => {
      if (LISTS.includes(name)) return [name, rows(name, value)];
      if (isObject(value) && Array.isArray(value['items'])) {
        return [name, { ...value, items: rows('items', value['items']) }];
      }
      return [name, value];
    }),
  ) as Document;
}

function rows(name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const found = value.filter((entry) => typeof entry === 'string' || isObject(entry));
  return name === 'items' ? found.slice(0, MOST_ROWS) : found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
