import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

export async function isConfirmed(terminal: Terminal, question: string): Promise<boolean> {
  const reader = createInterface({ input: terminal.input, output: process.stderr });
  try {
    const left = new Promise<string>((resolve) => {
      reader.once('SIGINT', () => resolve(''));
      reader.once('close', () => resolve(''));
    });
    const words = await Promise.race([reader.question(`${question} Type yes: `), left]);
    return words.trim().toLowerCase() === 'yes';
  } finally {
    reader.close();
  }
}
