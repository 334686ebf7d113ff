import { readFile } from 'node:fs/promises';
import { UsageError } from './command-error.ts';
import { readInputBytes } from './input-text.ts';
import type { Terminal } from './terminal.ts';

export async function inputBytes(file: string, terminal: Terminal): Promise<Uint8Array> {
  if (file === '-') return new Uint8Array(await readInputBytes(terminal.input));
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export async function inputText(words: string, terminal: Terminal): Promise<string> {
  if (words !== '-' && !words.startsWith('@')) return words;
  const bytes = await inputBytes(words === '-' ? '-' : words.slice(1), terminal);
  return new TextDecoder().decode(bytes).trimEnd();
}
