import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MAX_BLOCK_BYTES, MAX_BLOCK_TRANSITIONS, MAX_ENVELOPE_BYTES } from '@netd/protocol';
import type { BackedUpBlock } from './backup.ts';

const HEAD_BYTES = 1_048_576;
const LINE_BYTES = 2 * MAX_BLOCK_BYTES + HEAD_BYTES;

/** Thrown for a file that netd backup did not write. */
export class BlocksFileError extends Error {
  override name = 'BlocksFileError';
}

/**
 * Reads blocks with one line in memory at a time.
 * @throws BlocksFileError
 */
export async function* blocksIn(path: string): AsyncGenerator<BackedUpBlock, void, undefined> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(path), unpacked);
  reading.catch(() => {});
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        yield blockOf(Buffer.concat([...parts, chunk.subarray(from, end)]));
        [parts, length, from] = [[], 0, end + 1];
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > LINE_BYTES) throw new BlocksFileError('a line is longer than any block');
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new BlocksFileError(`it cannot be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    unpacked.destroy();
  }
  if (length > 0) throw new BlocksFileError('its last line has no end');
}

function blockOf(line: Buffer): BackedUpBlock {
  let block: Partial<BackedUpBlock> | null;
  try {
    block = JSON.parse(line.toString('utf8')) as Partial<BackedUpBlock> | null;
  } catch (error) {
    throw new BlocksFileError(`a line is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const { header, certificate, transitions } = block ?? {};
  if (!header || !certificate || !isTransitions(transitions)) {
    throw new BlocksFileError('a line is not a block');
  }
  const rest =
    line.length - 2 * transitions.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (rest > HEAD_BYTES) throw new BlocksFileError('a header or certificate is too long');
  return { header, certificate, transitions };
}

const isTransitions = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_BLOCK_TRANSITIONS &&
  value.every((text) => typeof text === 'string' && Buffer.byteLength(text) <= MAX_ENVELOPE_BYTES);
