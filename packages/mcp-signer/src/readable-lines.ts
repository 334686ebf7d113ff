/**
 * Answers unreadable lines before the MCP library sees them. The library drops lines that are not JSON, and
 * its clients would wait forever.
 */
import { Transform } from 'node:stream';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

const MOST = 16 * 1024 * 1024;

type Refusal = readonly [code: number, message: string];

export function readableLines(answer: (message: object) => void): Transform {
  let begun = '';
  let isTooLong = false;
  const refuse = ([code, message]: Refusal): void =>
    answer({ jsonrpc: '2.0', id: null, error: { code, message } });
  const take = (line: string): string => {
    const refusal = isTooLong ? TOO_LONG : refusalOf(line);
    isTooLong = false;
    if (refusal === null) return `${line}\n`;
    if (refusal !== 'empty') refuse(refusal);
    return '';
  };
  return new Transform({
    decodeStrings: false,
    transform(chunk: string, _encoding, done) {
      const [first = '', ...rest] = chunk.split('\n');
      const lines = [begun + first, ...rest];
      begun = lines.pop() ?? '';
      const passed = lines.map(take).join('');
      if (begun.length > MOST) {
        isTooLong = true;
        begun = '';
      }
      done(null, passed);
    },
  });
}

const TOO_LONG: Refusal = [
  ProtocolErrorCode.InvalidRequest,
  `A message has at most ${MOST} characters.`,
];

function refusalOf(line: string): Refusal | 'empty' | null {
  if (line.trim() === '') return 'empty';
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return [ProtocolErrorCode.ParseError, 'This line is not JSON. Send one message a line.'];
  }
  if (Array.isArray(message)) {
    return [ProtocolErrorCode.InvalidRequest, 'Batches are not served. Send one message a line.'];
  }
  const { jsonrpc, method, ...members } = (message ?? {}) as Record<string, unknown>;
  const isAnswer = 'result' in members || 'error' in members;
  if (jsonrpc === '2.0' && (typeof method === 'string' || isAnswer)) return null;
  return [
    ProtocolErrorCode.InvalidRequest,
    'This is no JSON-RPC 2.0 message: it needs "jsonrpc": "2.0" and a method.',
  ];
}
