import { NetClient, type TrustComparison } from '@netd/sdk';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { httpUrl } from '../option-values.ts';
import { answer, listText } from '../output.ts';
import { oneLine } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

const WIDTH = 100;
const SAYS_WIDTH = 400;

export function configure(command: Command, terminal: Terminal): void {
  command
    .argument(
      '<origins...>',
      'nodes that are independent of each other',
      (text: string, before: string[] | undefined) => [...(before ?? []), httpUrl(text)],
    )
    .option('--json', 'print the comparison as JSON')
    .action((origins: string[], options: { json?: boolean }) =>
      compare(origins, options, terminal),
    );
}

async function compare(
  origins: string[],
  options: { json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const [first = '', ...others] = origins;
  const comparison = await new NetClient({ url: first }).compareTrustReports(others);
  if (comparison.verdict !== 'agree') {
    const none = comparison.origins.every(({ status }) => status === 'unreachable');
    terminal.exitCode = none ? EXIT.unreachable : EXIT.failed;
  }
  answer(terminal, options, comparison, () => textOf(comparison, terminal));
}

type Verdict = ['green' | 'red' | 'yellow', string];

const VERDICTS: Record<TrustComparison['verdict'], Verdict> = {
  agree: ['green', 'They agree: every pair was compared and tells one history.'],
  conflict: ['red', 'They contradict each other: at least one history is not the network’s.'],
  incomplete: [
    'yellow',
    'No contradiction was found, but too little answered to say that they agree.',
  ],
};

const TWO_NETWORKS: Verdict = [
  'red',
  'They serve different networks: leave out those that are not of the one you mean, and compare again.',
];
const ONE_ORIGIN: Verdict = [
  'yellow',
  'Only one origin was named: name another one to compare it with.',
];

function verdictOf({ verdict, origins, conflicts }: TrustComparison): Verdict {
  if (origins.length === 1 && verdict === 'incomplete') return ONE_ORIGIN;
  const areOthers = conflicts.length > 0 && conflicts.every(({ kind }) => kind === 'NETWORK');
  return areOthers ? TWO_NETWORKS : VERDICTS[verdict];
}

function textOf(comparison: TrustComparison, terminal: Terminal): string {
  const { verdict, origins, conflicts, uncompared } = comparison;
  const heights = origins.map((one) => (one.status === 'answered' ? one.report.height : 0));
  const highest = Math.max(...heights);
  const forks = conflicts.filter(({ kind }) => kind === 'FORK');
  const rows = origins.map((one) => {
    if (one.status === 'unreachable')
      return [
        one.origin,
        '',
        '',
        one.reason.endsWith('[UNREACHABLE]') ? 'no answer' : oneLine(one.reason, WIDTH),
      ];
    const { height, chainId } = one.report;
    const notes = [
      // Conflicting origins may belong to two networks, so neither is behind.
      ...(verdict !== 'conflict' && height < highest ? [`${highest - height} behind`] : []),
      ...forks.flatMap(({ height: at, evidence }) =>
        evidence.some(({ origin }) => origin === one.origin) ? [`halted over a fork at ${at}`] : [],
      ),
    ];
    return [one.origin, chainId, String(height), notes.join(', ')];
  });
  const [style, sentence] = verdictOf(comparison);
  return [
    listText(terminal, ['ORIGIN', 'CHAIN', 'HEIGHT', ''], rows, { empty: 'no origin' }),
    ...conflicts.map(({ kind, height, meaning, evidence }) =>
      [
        terminal.paint(
          'red',
          `  ${kind}${height === null ? '' : ` at height ${height}`}: ${meaning}`,
        ),
        ...evidence.map(({ origin, says }) => `    ${origin} says ${oneLine(says, SAYS_WIDTH)}`),
      ].join('\n'),
    ),
    ...uncompared.map(
      ({ origins: [one, other], reason }) => `  not compared: ${one} and ${other}, ${reason}`,
    ),
    `  ${terminal.paint(style, sentence)}`,
  ].join('\n');
}
