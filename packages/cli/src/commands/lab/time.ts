import { InvalidArgumentError, Option, type Command } from 'commander';
import { labCall } from '../../lab-call.ts';
import { addNodeOptions, type NodeOptions } from '../../node-address.ts';
import { wholeNumber } from '../../option-values.ts';
import type { Terminal } from '../../terminal.ts';

interface TimeOptions extends NodeOptions {
  blocks?: number;
}

const SECONDS = { s: 1, min: 60, h: 3_600, d: 86_400 };
type Unit = keyof typeof SECONDS;

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command.argument(
      '<span>',
      'how far, such as 45s, 10min, 2h or 1d, or a time such as 2027-06-01T00:00:00.000Z',
      spanOrTime,
    ),
  )
    .addOption(
      new Option(
        '--blocks <number>',
        'blocks on the way (default: as many as an idle chain makes, at most 1000)',
      ).argParser(wholeNumber(1, 10_000)),
    )
    .action((to: { seconds: number } | { to: string }, { blocks, ...options }: TimeOptions) =>
      labCall(options, terminal, ['time', { ...to, ...(blocks === undefined ? {} : { blocks }) }]),
    );
}

function spanOrTime(text: string): { seconds: number } | { to: string } {
  const [, count, unit = 's'] = /^(\d{1,9})(s|min|h|d)?$/.exec(text) ?? [];
  if (count !== undefined) return { seconds: Number(count) * SECONDS[unit as Unit] };
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('A span is needed, such as 45s, 10min, 2h or 1d, or a time.');
  }
  return { to: new Date(time).toISOString() };
}
