import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HASH_PATTERN } from '@netd/protocol';
import type { SchemaOf } from '@netd/sdk';
import type { Command } from 'commander';
import { UsageError } from '../command-error.ts';
import { readInputText } from '../input-text.ts';
import { withReplay } from '../with-replay.ts';
import { addNodeOptions, openNode, type NodeOptions } from '../node-address.ts';
import { answer } from '../output.ts';
import type { Terminal } from '../terminal.ts';
import { traceText } from '../trace-text.ts';

type Traced = Omit<SchemaOf<'TracedTransition'>, 'schema' | 'chainId'>;

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command.argument(
      '<transition>',
      'its hash, or its receipt: a file, or - for standard input, as netd act --json prints it',
    ),
  ).action((transition: string, options: NodeOptions) => trace(transition, options, terminal));
}

async function trace(given: string, options: NodeOptions, terminal: Terminal): Promise<void> {
  const hash = new RegExp(HASH_PATTERN).test(given) ? given : await hashInReceipt(given, terminal);
  const database = join(resolve(options.dataDir), 'chain');
  const traced =
    options.url === undefined && existsSync(database)
      ? await lookedUp(options.dataDir, hash)
      : await asked(options, hash);
  const { height, index, timestamp } = traced;
  answer(terminal, options, traced, () =>
    traceText(
      terminal,
      `${terminal.paint('bold', hash)}\ntransition ${index} of block ${height}, ${timestamp}`,
      traced.trace,
    ),
  );
}

async function asked(options: NodeOptions, hash: string): Promise<Traced> {
  const { client } = await openNode(options);
  const { schema: _schema, chainId: _chainId, ...traced } = await client.trace(hash);
  return traced;
}

const lookedUp = (dataDir: string, hash: string): Promise<Traced> =>
  withReplay(async ({ traceDataDir, traceReport }) => {
    const { trace: found, ...where } = await traceDataDir(dataDir, hash);
    return { ...where, trace: traceReport(found) };
  });

async function hashInReceipt(given: string, terminal: Terminal): Promise<string> {
  const text =
    given === '-'
      ? await readInputText(terminal.input)
      : await readFile(given, 'utf8').catch(() => {
          throw new UsageError(
            `${given} is neither the hash of a transition nor a file with a receipt`,
          );
        });
  const found = new RegExp(`"transitionHash":\\s*"(${HASH_PATTERN.slice(1, -1)})"`).exec(text)?.[1];
  if (found === undefined)
    throw new UsageError(`${given} holds no receipt: it names no transitionHash`);
  return found;
}
