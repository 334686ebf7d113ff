/** Runs commands in this process, which is fast and captures their output. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { NETD } from '../command-table.ts';
import { run } from '../program.ts';
import type { Terminal } from '../terminal.ts';
import type { Ended } from './command.ts';

export interface RunOptions {
  input?: string;
  /** Aborts as Ctrl-C does. */
  signal?: AbortSignal;
  /** Called when the command begins to listen for Ctrl-C. */
  onListen?: () => void;
}

export async function runHere(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  const terminal: Terminal = {
    print: (text) => (ended.stdout += `${text}\n`),
    note: (text) => (ended.stderr += `${text}\n`),
    paint: (_style, text) => text,
    input: Readable.from(options.input === undefined ? [] : [options.input]),
    exitCode: 0,
    interruption: () => {
      if (options.onListen) setImmediate(options.onListen);
      return options.signal ?? new AbortController().signal;
    },
  };
  ended.code = await run(NETD, args, terminal);
  return ended;
}

/** Runs a command line. Fails unless it exits with 0. */
export async function done(words: string | string[], options?: RunOptions): Promise<string> {
  const args = typeof words === 'string' ? words.split(' ') : words;
  const { code, stdout, stderr } = await runHere(args, options);
  assert.equal(code, 0, `${args.join(' ')}\n${stderr}${stdout}`);
  return stdout;
}
