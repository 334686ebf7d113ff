import { styleText } from 'node:util';
import { EXIT } from './exit-codes.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  print(text: string): void;
  /** Writes to standard error: a JSON object if a service's log has that format, otherwise the text. */
  note(text: string, level?: 'info' | 'error'): void;
  paint(style: Style, text: string): string;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  exitCode: number;
  /** Returns a signal that Ctrl-C aborts. Until the first call, Ctrl-C ends the process. */
  interruption(): AbortSignal;
}

/** True once a service runs. Its output may be a file on a full disk. */
let outlivesOutput = false;
let notesAreJson = false;

export async function tellLauncher(): Promise<void> {
  if (process.connected) await new Promise((told) => process.send?.('ended', told));
}

async function endDone(): Promise<never> {
  await tellLauncher();
  process.exit();
}

/**
 * Keeps the process alive if its output cannot be written.
 * @param asJson true if collectors of logs read standard error, one object per line
 */
export function outliveOutput(asJson: boolean): void {
  outlivesOutput = true;
  notesAreJson = asJson;
}

export function processTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      void endDone();
      return;
    }
    if (outlivesOutput) return;
    process.stderr.write(`netd: the output cannot be written: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
  // A lost note is harmless, because the exit code reports the result.
  process.stderr.on('error', () => {});
  return {
    print: (text) => process.stdout.write(`${text}\n`),
    note: (text, level = 'info') => {
      const entry = { level, time: new Date().toISOString(), msg: text };
      process.stderr.write(`${notesAreJson ? JSON.stringify(entry) : text}\n`);
    },
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    input: process.stdin,
    exitCode: 0,
    interruption() {
      const controller = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => controller.abort());
      }
      return controller.signal;
    },
  };
}
