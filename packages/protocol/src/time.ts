/** Header times: ISO 8601 UTC with milliseconds. This file reads no clock. */

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const MILLISECONDS_PER_DAY = 86_400_000;

/** @throws RangeError if the text has another form or names a day or time that does not exist */
export function timestampToMs(timestamp: string): number {
  if (!ISO.test(timestamp)) {
    throw new RangeError(`${timestamp} is not an ISO 8601 UTC time with milliseconds`);
  }
  // Runtimes differ on days that don't exist, so compare the round trip.
  // oxlint-disable-next-line no-restricted-globals -- a function of its argument: no clock, no time zone
  const ms = Date.parse(timestamp);
  if (Number.isNaN(ms) || msToTimestamp(ms) !== timestamp) {
    throw new RangeError(`${timestamp} names no real instant`);
  }
  return ms;
}

export function msToTimestamp(ms: number): string {
  // oxlint-disable-next-line no-restricted-globals -- a function of its argument: no clock, no time zone
  return new Date(ms).toISOString();
}
