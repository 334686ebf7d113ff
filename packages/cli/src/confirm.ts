/** Asks at the terminal before something is done that is not easily undone. */
import { createInterface } from 'node:readline/promises';
import type { Terminal } from './terminal.ts';

/** Whether the answer is yes; Ctrl-C and Ctrl-D end the question without one. The caller sees that there is a terminal. */
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
