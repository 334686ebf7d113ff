/** Inclusive bounds, as in RFC 9110 section 14.2. */

export interface ByteRange {
  first: number;
  last: number;
}

/** @returns 'whole' unless the header asks for a single byte range; null if there are no such bytes */
export function rangeOf(
  header: string | undefined,
  byteLength: number,
): ByteRange | 'whole' | null {
  const match = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return 'whole';
  const end = byteLength - 1;
  if (from === '') {
    const length = Math.min(Number(to), byteLength);
    return length === 0 ? null : { first: byteLength - length, last: end };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  const last = to === '' ? end : Math.min(Number(to), end);
  return first > end ? null : { first, last };
}
