import { readBounded } from '@netd/protocol';

const LOOKUP_TIMEOUT_MILLISECONDS = 15_000;
const MAX_ANSWER_BYTES = 262_144;
const MAX_PAGE_BYTES = 1_048_576;

/**
 * Returns null for 404.
 * @throws Error if the node does not answer, refuses, or answers too much
 */
export async function fetchJson<Answer>(
  url: string,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<Answer | null> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MILLISECONDS),
    redirect: 'error',
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the node answered ${response.status}`);
  }
  const bytes = await readBounded(response.body, maxBytes);
  if (bytes === null) throw new Error('the answer is too long');
  return JSON.parse(new TextDecoder().decode(bytes)) as Answer;
}

/**
 * Returns undefined if there is no such record.
 * @throws Error also for 404, which no node answers here
 */
export async function fetchRecord<Value>(nodeUrl: string, key: string): Promise<Value | undefined> {
  const url = `${nodeUrl}/v1/state/proof?key=${encodeURIComponent(key)}`;
  const proof = await fetchJson<{ key?: string; value?: Value | null }>(url);
  if (proof?.key !== key) throw new Error(`the node did not answer about ${key}`);
  return proof.value ?? undefined;
}

export interface ListStart<Item> {
  items: Item[];
  /** False if there are older items. */
  isComplete: boolean;
}

/**
 * @param path with a query
 * @param maxPages of 100 items
 * @throws as `fetchRecord`
 */
export async function fetchList<Item>(
  nodeUrl: string,
  path: string,
  member: string,
  maxPages: number,
): Promise<ListStart<Item>> {
  const items: Item[] = [];
  let next = '';
  for (let page = 0; page < maxPages; page++) {
    const url = `${nodeUrl}${path}&limit=100${next}`;
    const answer = await fetchJson<Record<string, unknown>>(url, MAX_PAGE_BYTES);
    const found = answer?.[member];
    if (!Array.isArray(found)) throw new Error(`the node did not answer with ${member}`);
    items.push(...(found as Item[]));
    const cursor = answer?.['nextCursor'];
    if (typeof cursor !== 'string') return { items, isComplete: true };
    next = `&cursor=${encodeURIComponent(cursor)}`;
  }
  return { items, isComplete: false };
}
