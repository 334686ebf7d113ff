/** Opaque list cursors. Each is valid only for one list with the same filters. */
import { sha256Hex } from '@netd/protocol';
import { ApiError } from '@netd/engine/reads';

const FORM = /^1\.([a-f0-9]{16})\.(0|[1-9][0-9]{0,15})$/;

function fingerprint(list: string, filters: object): string {
  return sha256Hex(JSON.stringify([list, filters])).slice(0, 16);
}

export function makeCursor(list: string, filters: object, position: number | null): string | null {
  if (position === null) return null;
  return Buffer.from(`1.${fingerprint(list, filters)}.${position}`).toString('base64url');
}

/**
 * Returns null if no cursor was given.
 * @throws ApiError CURSOR_INVALID if the cursor is of another list, or of other filters
 */
export function readCursor(
  list: string,
  filters: object,
  cursor: string | undefined,
): number | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, mark, position] = FORM.exec(text) ?? [];
  const canonical = Buffer.from(text, 'latin1').toString('base64url') === cursor;
  if (
    !canonical ||
    mark !== fingerprint(list, filters) ||
    !Number.isSafeInteger(Number(position))
  ) {
    throw new ApiError('CURSOR_INVALID', {
      errors: [{ path: '/query/cursor', message: 'is not valid' }],
    });
  }
  return Number(position);
}
