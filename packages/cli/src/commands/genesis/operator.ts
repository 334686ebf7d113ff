import { writeFileSync } from 'node:fs';
import { lockDataDir } from '@netd/node/data-dir-lock';
import { makeOperatorKey, operatorKeyPath } from '@netd/node/founders';
import { Option, type Command } from 'commander';
import { actorId, foundersIdOption } from '../../option-values.ts';
import { answer } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface OperatorOptions {
  dataDir: string;
  chainId: string;
  name: string;
  out?: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the directory that gets the key, in keys/operator.json')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .addOption(foundersIdOption())
    .addOption(
      new Option('--name <id>', 'id of the operator on the chain')
        .argParser(actorId)
        .default('operator'),
    )
    .option('--out <file>', 'also write the card to this file')
    .option('--json', 'print the card')
    .action((options: OperatorOptions) => make(options, terminal));
}

function make(options: OperatorOptions, terminal: Terminal): void {
  const { dataDir, chainId, name, out } = options;
  const unlock = lockDataDir(dataDir);
  try {
    const card = makeOperatorKey(dataDir, chainId, name);
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(card, null, 2)}\n`);
    answer(terminal, options, card, () =>
      [
        `${name} has its key in ${operatorKeyPath(dataDir)}. Back it up sealed, elsewhere.`,
        ...(out === undefined ? [] : [`  card  ${out}`]),
        '        Give the card to the founder who makes the genesis: netd genesis new --operator …',
      ].join('\n'),
    );
  } finally {
    unlock();
  }
}
