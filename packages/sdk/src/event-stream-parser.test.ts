import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EventStreamParser, type StreamedEvent } from './event-stream-parser.ts';

const STREAM =
  ': hello\nretry: 1500\n\nid: 1.0\nevent: A\ndata: one\n\nid: 1.1\r\ndata:two\r\ndata: lines\r\n\r\n' +
  'id: 2.0\rdata\r\r: alive\n\nunknown: x\nid: 3.0\n\ndata: late\n\ndata: cut';
const EVENTS: StreamedEvent[] = [
  { id: '1.0', data: 'one' },
  { id: '1.1', data: 'two\nlines' },
  { id: '2.0', data: '' },
  { id: '3.0', data: 'late' },
];

describe('a stream of events', () => {
  test('is the same however it is cut, and an event that is not finished is none', () => {
    for (let size = 1; size <= STREAM.length; size++) {
      const parser = new EventStreamParser();
      const events: StreamedEvent[] = [];
      for (let at = 0; at < STREAM.length; at += size) {
        events.push(...parser.take(STREAM.slice(at, at + size)));
      }
      assert.deepEqual(events, EVENTS, `in pieces of ${size}`);
      assert.equal(parser.retry, 1_500);
    }
  });

  test('keeps its id and its delay if the new ones are invalid', () => {
    const parser = new EventStreamParser();
    const text = 'id: 1.0\nretry: 5\n\nid: a\0b\nretry: soon\ndata: x\n\n';
    assert.deepEqual(parser.take(text), [{ id: '1.0', data: 'x' }]);
    assert.equal(parser.retry, 5);
  });

  test('takes a delay of any length, and none that is not made of digits', () => {
    const parser = new EventStreamParser();
    parser.take('retry: 99999999999\n');
    assert.equal(parser.retry, 99_999_999_999);
    for (const value of ['-1', '1.5', '1e3', ' 7', '']) parser.take(`retry: ${value}\n`);
    assert.equal(parser.retry, 99_999_999_999);
  });

  test('passes over comments, unknown fields and one byte order mark at its start', () => {
    const parser = new EventStreamParser();
    const text = '\uFEFFid: 1.0\n: id: 2.0\n:data: no\nDATA: no\n data: no\ndata: \uFEFFx\n\n';
    assert.deepEqual(parser.take(text), [{ id: '1.0', data: '\uFEFFx' }]);
  });

  test('may not go on without end, in a line or in an event', () => {
    const most = 4_194_304;
    const field = `data:${'x'.repeat(most - 5)}`;
    new EventStreamParser().take(field);
    assert.throws(() => new EventStreamParser().take(`${field}x`), RangeError);
    // A line that can be no field is not kept at all.
    const parser = new EventStreamParser();
    assert.deepEqual(parser.take('x'.repeat(most + 1)), []);
    assert.deepEqual(parser.take('\ndata: y\n\n'), [{ id: '', data: 'y' }]);
    // An event counts with the breaks between its lines.
    const line = `data: ${'x'.repeat(1_048_575)}\n`;
    new EventStreamParser().take(`${line.repeat(4)}data:\n`);
    assert.throws(
      () => new EventStreamParser().take(`${line.repeat(4)}data:\ndata:\n`),
      RangeError,
    );
  });
});
