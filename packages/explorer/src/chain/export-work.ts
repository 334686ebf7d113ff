import { client } from './client.ts';
import type { Cell, TableFile } from '../words/csv.ts';

const PAGE = 100;
/** Limits the pages per file, to spare the node. */
const MOST_PAGES = 50;

async function timeOf(height: number): Promise<number> {
  const { header } = await client.read('/v1/blocks/{height}', { height });
  return Date.parse(header.timestamp);
}

/** Returns the first height at or after the time, by binary search. */
async function heightAt(time: number, newest: number): Promise<number> {
  let low = 0;
  let high = newest + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await timeOf(middle)) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const DAY = 86_400_000;

/**
 * @param from first day in UTC such as `2026-11-24`; empty for no bound
 * @param to last day
 * @returns `isCut` if there were more orders
 */
export async function workTable(
  from: string,
  to: string,
): Promise<{ table: TableFile; isCut: boolean }> {
  const { height } = await client.read('/v1/network');
  const first = from === '' ? 0 : await heightAt(Date.parse(from), height);
  const end = to === '' ? height + 1 : await heightAt(Date.parse(to) + DAY, height);
  const rows: Cell[][] = [];
  let cursor: string | null = null;
  let isCut = false;
  for (let page = 0; ; page++) {
    const more: { cursor?: string } = cursor === null ? {} : { cursor };
    const { orders, nextCursor } = await client.read('/v1/work-orders', { limit: PAGE, ...more });
    for (const one of orders) {
      if (one.createdAt.height < first || one.createdAt.height >= end) continue;
      rows.push([
        one.orderId,
        one.createdAt.height,
        one.status,
        one.reason,
        one.requesterId,
        one.workerId,
        one.jobType,
        one.title,
        one.funding,
        one.verificationFee,
      ]);
    }
    cursor = nextCursor;
    const isPast = (orders.at(-1)?.createdAt.height ?? 0) < first;
    if (cursor === null || isPast) break;
    if (page + 1 >= MOST_PAGES) {
      isCut = true;
      break;
    }
  }
  const names =
    'order,created at height,status,reason,requester,worker,kind,title,funding in unet,verification fee in unet';
  return { table: { names: names.split(','), rows }, isCut };
}
