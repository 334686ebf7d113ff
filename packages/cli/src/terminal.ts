/** Where a command reads and writes: the process, or what a test puts in its place. */
import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  /** A line, or several, to standard output. */
  print(text: string): void;
  /** A line to standard error: what is not the answer. */
  note(text: string): void;
  /** Colours what goes to standard output, if the terminal shows colours. */
  paint(style: Style, text: string): string;
  /** Standard input. */
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  /** The exit code of the process, unless something fails. */
  exitCode: number;
  /** Aborted by Ctrl-C once a command has asked for it. */
  interruption(): AbortSignal;
}

export function processTerminal(): Terminal {
  // The reader of a pipe has seen enough: that is no failure of ours.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
  return {
    print: (text) => process.stdout.write(`${text}\n`),
    note: (text) => process.stderr.write(`${text}\n`),
    // Looks at NO_COLOR, FORCE_COLOR and whether it is a terminal.
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
