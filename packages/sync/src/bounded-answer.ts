/** Bounds the size and work of untrusted servers' answers. */
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Answer } from './answer.ts';

export class LongAnswerError extends Error {
  override name = 'LongAnswerError';

  constructor(maxBytes: number) {
    super(`the answer is longer than ${maxBytes} bytes`);
  }
}

/** Below this size, a stream costs more than the decompression. */
const UNPACKED_AT_ONCE = 1_048_576;

/** Enough for the largest answer in pieces of a kilobyte. */
const MOST_PIECES = 32_768;
/** Bounds 1xx responses, of which an honest node sends a few. */
const MOST_INFORMATION = 100;

/** Unpacks answers one by one, because few bytes may expand to the limit. */
let unpacking: Promise<unknown> = Promise.resolve();

class EncodingError extends Error {
  override name = 'EncodingError';
  readonly code = 'ERR_ODD_ANSWER';
}

const unpackers = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };
type Unpacker = (typeof unpackers)[keyof typeof unpackers];

/**
 * Uses Node's HTTP client, which is faster than `fetch` for small answers.
 * @param maxBytes of the body, compressed or not
 * @throws LongAnswerError; Error if there is no answer in time, or its encoding was not requested
 */
export async function getBounded(
  url: string,
  options: { headers: Record<string, string>; signal: AbortSignal; maxBytes: number },
): Promise<Answer> {
  const { headers, signal, maxBytes } = options;
  const { message, bytes } = await request(url, headers, signal, maxBytes);
  const packing = (message.headers['content-encoding'] ?? 'identity').toLowerCase();
  const unpack = unpackerOf(packing);
  const body = unpack && bytes.length > 0 ? await unpacked(unpack, bytes, options) : bytes;
  const status = message.statusCode ?? 0;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: new Headers(message.headers as Record<string, string>),
    body: (async function* () {
      yield body;
    })(),
  };
}

function unpackerOf(packing: string): Unpacker | null {
  if (packing === 'identity') return null;
  if (Object.hasOwn(unpackers, packing)) return unpackers[packing as keyof typeof unpackers];
  const asked = Object.keys(unpackers).join(' or ');
  throw new EncodingError(`the answer is packed by ${packing}, and may only be by ${asked}`);
}

function request(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  maxBytes: number,
): Promise<{ message: IncomingMessage; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith('https:') ? getHttps : getHttp;
    const asked = get(url, { headers, signal }, (message) => {
      const parts: Buffer[] = [];
      let length = 0;
      message.on('data', (part: Buffer) => {
        length += part.length;
        parts.push(part);
        if (length > maxBytes) message.destroy(new LongAnswerError(maxBytes));
        else if (parts.length > MOST_PIECES) {
          message.destroy(new EncodingError(`the answer comes in more than ${MOST_PIECES} pieces`));
        }
      });
      message.on('error', reject);
      message.on('end', () => resolve({ message, bytes: Buffer.concat(parts) }));
    });
    let information = 0;
    asked.on('information', () => {
      information += 1;
      if (information > MOST_INFORMATION) {
        asked.destroy(new EncodingError(`there is no answer after ${information} others`));
      }
    });
    asked.on('upgrade', (_message, socket) => {
      socket.destroy();
      reject(new Error('the answer is in another protocol'));
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // The node may have closed a kept-alive connection just as it was reused.
      const isStale = asked.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      if (isStale) resolve(request(url, headers, signal, maxBytes));
      else reject(error);
    });
  });
}

function unpacked(
  unpack: Unpacker,
  bytes: Buffer,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<Buffer> {
  const mine = unpacking.then(async () => {
    signal.throwIfAborted();
    try {
      return await unpack(bytes, { maxOutputLength: maxBytes, chunkSize: UNPACKED_AT_ONCE });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ERR_BUFFER_TOO_LARGE' ? new LongAnswerError(maxBytes) : error;
    }
  });
  unpacking = mine.catch(() => {});
  return mine;
}
