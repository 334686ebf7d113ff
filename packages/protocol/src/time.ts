/** Header times: ISO 8601 UTC with milliseconds, and the same instant as milliseconds since 1970. No clock. */

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const MILLISECONDS_PER_DAY = 86_400_000;

/** @throws RangeError where the text is not a timestamp of this form, or names a day or time that does not exist */
export function timestampToMs(timestamp: string): number {
  if (!ISO.test(timestamp)) {
    throw new RangeError(`${timestamp} is not an ISO 8601 UTC time with milliseconds`);
  }
  // ECMAScript fixes what a time of this form means. What runtimes make of a day that does not exist differs, and is
  // refused because it is written otherwise.
  // oxlint-disable-next-line no-restricted-globals -- a function of its argument: no clock, no time zone
  const ms = Date.parse(timestamp);
  if (Number.isNaN(ms) || msToTimestamp(ms) !== timestamp) {
    throw new RangeError(`${timestamp} names no real instant`);
  }
  return ms;
}

/** The timestamp of an instant between the years 1970 and 9999, a whole number of milliseconds. */
export function msToTimestamp(ms: number): string {
  // oxlint-disable-next-line no-restricted-globals -- a function of its argument: no clock, no time zone
  return new Date(ms).toISOString();
}
