/** Compares times with an independent calendar. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { MILLISECONDS_PER_DAY, msToTimestamp, timestampToMs } from './time.ts';

const LAST = 253_402_300_799_999;
const pad = (value: number, width: number): string => String(value).padStart(width, '0');

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysOf = (year: number, month: number): number =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;

describe('times', () => {
  test('name the first and the last instant of every month from 1970 to 9999', () => {
    let ms = 0;
    for (let year = 1970; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        const days = daysOf(year, month);
        const name = `${pad(year, 4)}-${pad(month, 2)}`;
        const first = `${name}-01T00:00:00.000Z`;
        const last = `${name}-${pad(days, 2)}T23:59:59.999Z`;
        assert.equal(msToTimestamp(ms), first);
        assert.equal(timestampToMs(first), ms);
        ms += days * MILLISECONDS_PER_DAY;
        assert.equal(msToTimestamp(ms - 1), last);
        assert.equal(timestampToMs(last), ms - 1);
        if (month !== 2) continue;
        const after = `${name}-${pad(days + 1, 2)}T00:00:00.000Z`;
        assert.throws(() => timestampToMs(after), RangeError, after);
      }
    }
    assert.equal(ms - 1, LAST);
  });

  test('are the instant they came from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST }), (ms) => {
        assert.equal(timestampToMs(msToTimestamp(ms)), ms);
      }),
    );
  });

  test('keep the order of their instants', () => {
    const instant = fc.integer({ min: 0, max: LAST });
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        assert.equal(msToTimestamp(a) < msToTimestamp(b), a < b);
      }),
    );
  });

  test('of parts that no clock shows are refused, whatever the digits', () => {
    const part = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        fc.tuple(part(9999), part(99), part(99), part(99), part(99), part(99), part(999)),
        ([year, month, day, hour, minute, second, ms]) => {
          const two = [hour, minute, second].map((value) => pad(value, 2)).join(':');
          const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${two}.${pad(ms, 3)}Z`;
          const real =
            month >= 1 &&
            month <= 12 &&
            day >= 1 &&
            day <= daysOf(year, month) &&
            hour <= 23 &&
            minute <= 59 &&
            second <= 59;
          if (real) assert.equal(msToTimestamp(timestampToMs(text)), text);
          else assert.throws(() => timestampToMs(text), /names no real instant/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('have one form', () => {
    for (const text of [
      '',
      '2026-01-01',
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.0000Z',
      '2026-01-01T00:00:00.000',
      '2026-01-01T00:00:00.000z',
      '2026-01-01T00:00:00.000+00:00',
      '2026-01-01 00:00:00.000Z',
      '+002026-01-01T00:00:00.000Z',
      '10000-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z\n',
      ' 2026-01-01T00:00:00.000Z',
      '２026-01-01T00:00:00.000Z',
    ]) {
      assert.throws(() => timestampToMs(text), /is not an ISO 8601 UTC time/, text);
    }
    for (const text of [
      '2026-02-29T00:00:00.000Z',
      '2100-02-29T00:00:00.000Z',
      '2026-00-01T00:00:00.000Z',
      '2026-13-01T00:00:00.000Z',
      '2026-01-00T00:00:00.000Z',
      '2026-04-31T00:00:00.000Z',
      '2026-01-01T24:00:00.000Z',
      '2026-01-01T23:60:00.000Z',
      '2026-01-01T23:59:60.000Z',
    ]) {
      assert.throws(() => timestampToMs(text), /names no real instant/, text);
    }
    for (const ms of [NaN, Infinity, 8.64e15 + 1])
      assert.throws(() => msToTimestamp(ms), RangeError);
  });
});
