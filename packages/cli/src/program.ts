import { inspect } from 'node:util';
import { printableUrl } from '@netd/protocol/printable-url';
import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import {
  exitCodeOf,
  explained,
  isConnectionError,
  isKnownError,
  problemOf,
} from './command-error.ts';
import type { Program } from './command-entry.ts';
import { EXIT } from './exit-codes.ts';
import { jsonText, printable } from './printable.ts';
import { readSecretFiles, unsetEmptyVariables } from './value-rules.ts';
import type { Terminal } from './terminal.ts';

export async function run(
  of: Program,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  unsetEmptyVariables();
  const json = args.includes('--json');
  let errorText = '';
  try {
    readSecretFiles();
    if (args[0] === 'complete' && args[1] === '--') {
      const { complete } = await import('./completion/complete.ts');
      for (const line of await complete(of, args.slice(2), terminal)) terminal.print(line);
      return EXIT.done;
    }
    const program = await buildProgram(of, terminal, namedBy(args), {
      writeOut: (text) => terminal.print(text.trimEnd()),
      // A script gets one problem document instead of text.
      writeErr: (given) => {
        const text = printableUrl(given);
        if (json) errorText += text;
        else terminal.note(text.trimEnd());
      },
    });
    await program.parseAsync([...args], { from: 'user' });
    return terminal.exitCode;
  } catch (caught) {
    const error = explained(caught);
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      if (json)
        print(terminal, {
          title: errorText.split('\n')[0] ?? printableUrl(error.message),
          code: 'USAGE',
        });
      return EXIT.usage;
    }
    if (json) print(terminal, problemOf(error));
    else if (isConnectionError(error))
      terminal.note(`netd: the node went away: ${causeOf(error)}`, 'error');
    else if (isKnownError(error))
      terminal.note(`netd: ${printable(printableUrl(error.message))}`, 'error');
    else terminal.note(printableUrl(inspect(error)), 'error');
    return exitCodeOf(error);
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return printable(printableUrl(cause instanceof Error ? cause.message : message));
}

const print = (terminal: Terminal, value: unknown): void => terminal.print(jsonText(value, 2));

function namedBy(args: readonly string[]): string[] {
  const words = args[0] === 'help' ? args.slice(1) : args;
  const end = words.findIndex((word) => word.startsWith('-'));
  return end === -1 ? [...words] : words.slice(0, end);
}
