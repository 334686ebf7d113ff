/** Header times: ISO 8601 UTC with milliseconds, and the same instant as milliseconds since 1970. No clock. */

const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})Z$/;

export const MILLISECONDS_PER_DAY = 86_400_000;

/** @throws RangeError where the text is not a timestamp of this form, or names a day or time that does not exist */
export function timestampToMs(timestamp: string): number {
  const parts = ISO.exec(timestamp)?.slice(1).map(Number);
  if (!parts) throw new RangeError(`${timestamp} is not an ISO 8601 UTC time with milliseconds`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = parts;
  const time =
    daysFromCivil(year, month, day) * MILLISECONDS_PER_DAY +
    hour * 3_600_000 +
    minute * 60_000 +
    second * 1_000 +
    ms;
  if (msToTimestamp(time) !== timestamp) throw new RangeError(`${timestamp} names no real instant`);
  return time;
}

/** The timestamp of an instant between the years 1970 and 9999. */
export function msToTimestamp(ms: number): string {
  const days = Math.floor(ms / MILLISECONDS_PER_DAY);
  const rest = ms - days * MILLISECONDS_PER_DAY;
  const { year, month, day } = civilFromDays(days);
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return (
    `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T` +
    `${pad(Math.floor(rest / 3_600_000), 2)}:${pad(Math.floor(rest / 60_000) % 60, 2)}:` +
    `${pad(Math.floor(rest / 1_000) % 60, 2)}.${pad(rest % 1_000, 3)}Z`
  );
}

// The proleptic Gregorian calendar counted in eras of 400 years that start on the first of March, so that the
// leap day is the last day of its year.

function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
