import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableLines } from './readable-lines.ts';

/** @returns passed lines and error codes */
function send(...chunks: string[]): { passed: string; codes: number[] } {
  const codes: number[] = [];
  const lines = readableLines((message) =>
    codes.push((message as { error: { code: number } }).error.code),
  );
  for (const chunk of chunks) lines.write(chunk);
  const passed = lines.read() as Buffer | null;
  return { passed: passed?.toString() ?? '', codes };
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

test('a message passes as it is, in whatever pieces it comes', () => {
  assert.deepEqual(send(`${PING}\n`), { passed: `${PING}\n`, codes: [] });
  assert.deepEqual(send(PING.slice(0, 9), PING.slice(9), '\n'), {
    passed: `${PING}\n`,
    codes: [],
  });
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
  assert.deepEqual(send(`${answer}\n\n`), { passed: `${answer}\n`, codes: [] });
});

test('a line that is no message is answered, and the next one passes', () => {
  for (const [line, code] of [
    ['{"jsonrpc":', -32_700],
    [`[${PING}]`, -32_600],
    ['{"jsonrpc":"2.0","id":1}', -32_600],
    ['{"id":1,"method":"ping"}', -32_600],
    ['null', -32_600],
  ] as const) {
    assert.deepEqual(send(`${line}\n${PING}\n`), { passed: `${PING}\n`, codes: [code] }, line);
  }
});

test('a message without an end is dropped once it is too long', () => {
  const { passed, codes } = send('x'.repeat(16 * 1024 * 1024 + 1), `x\n${PING}\n`);
  assert.deepEqual([passed, codes], [`${PING}\n`, [-32_600]]);
});
