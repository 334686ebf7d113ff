import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { Finding } from '../doctor/finding.ts';
import { EXIT } from '../exit-codes.ts';
import { findNode } from '../node-address.ts';
import { wholeNumber } from '../option-values.ts';
import { answer } from '../output.ts';
import { columns } from '../printable.ts';
import { httpUrl } from '../option-values.ts';
import type { Terminal } from '../terminal.ts';

interface DoctorOptions {
  dataDir: string;
  port: number;
  url?: string;
  json?: boolean;
  probe?: string;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory that a node has or will have')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .addOption(
      new Option('-p, --port <number>', 'the port that it will have; blobs take the two after it')
        .env('NET_PORT')
        .default(8420)
        .argParser(wholeNumber(1, 65_533)),
    )
    .addOption(
      new Option('--url <url>', 'a node to compare the clock with')
        .env('NET_URL')
        .argParser(httpUrl),
    )
    .option('--json', 'print what was found as JSON')
    .addOption(new Option('--probe <how>').hideHelp())
    .action((options: DoctorOptions) => doctor(options, terminal));
}

async function doctor(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const dataDir = resolve(options.dataDir);
  const { database, nativeParts, probe } = await import('../doctor/database.ts');
  if (options.probe !== undefined) {
    await probe(dataDir, options.probe);
    return;
  }
  const machine = await import('../doctor/machine.ts');
  const { url } = findNode({ dataDir, url: options.url }, null);
  const chain = await database(dataDir);
  const findings: Finding[] = [
    machine.versions(),
    await nativeParts(),
    machine.disk(dataDir),
    chain.finding,
    machine.keys(dataDir),
    ...(await machine.engine(dataDir)),
    await machine.clock(url, chain.lastBlockTime),
    machine.openFiles(),
    await machine.port(options.port, 'the node'),
    await machine.port(options.port + 1, 'blobs'),
    await machine.port(options.port + 2, 'blobs'),
  ];
  const faults = findings.filter(({ verdict }) => verdict === 'fault');
  if (faults.length > 0) terminal.exitCode = EXIT.failed;
  answer(terminal, options, { ok: faults.length === 0, findings }, () => text(terminal, findings));
}

const MARKS = { good: 'ok', warning: 'look', fault: 'fix' } as const;
const COLOURS = { good: 'green', warning: 'yellow', fault: 'red' } as const;

function text(terminal: Terminal, findings: readonly Finding[]): string {
  const rows = columns(findings.map(({ verdict, about, found }) => [MARKS[verdict], about, found]));
  const lines = rows.split('\n').flatMap((line, index) => {
    const { verdict = 'good', todo } = findings[index] ?? {};
    const painted = line.replace(MARKS[verdict], (mark) => terminal.paint(COLOURS[verdict], mark));
    return todo ? [painted, `        ${todo}`] : [painted];
  });
  const open = findings.filter(({ verdict }) => verdict !== 'good').length;
  const end = open === 0 ? 'A node can run here.' : `${open} of ${findings.length} want attention.`;
  return [...lines, '', `  ${end}`].join('\n');
}
