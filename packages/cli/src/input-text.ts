import { UsageError } from './command-error.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** @throws UsageError if the input is a keyboard, closed or endless */
export async function readInputBytes(input: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of input as AsyncIterable<Buffer | string>) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      length += bytes.length;
      if (length > MOST_BYTES) throw new UsageError('standard input does not end');
      parts.push(bytes);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`standard input cannot be read: ${(error as Error).message}`);
  }
  return Buffer.concat(parts);
}

export async function readInputText(input: NodeJS.ReadableStream): Promise<string> {
  const text = (await readInputBytes(input)).toString('utf8');
  if (text.trim() === '') throw new UsageError('standard input is empty');
  return text;
}
