import { Option, type Command } from 'commander';
import { pino, stdTimeFunctions, type Logger } from 'pino';
import { printableUrl } from '@netd/protocol/printable-url';
import { printable } from './printable.ts';
import { outliveOutput } from './terminal.ts';

export const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LogOptions {
  logLevel: string;
  logFormat?: LogFormat;
}

export function addLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--log-level <level>', 'how much to log to standard error')
        .env('NET_LOG_LEVEL')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'log entries as JSON objects or lines of text (default: text on a terminal, else json)',
      )
        .env('NET_LOG_FORMAT')
        .choices([...LOG_FORMATS]),
    );
}

/** Survives a full disk. With pino.destination, the process would throw or hang. */
export function errorLog({ logLevel, logFormat }: LogOptions): Logger {
  process.stderr.on('error', () => {});
  // By default only the log is JSON, because a person may read a command's messages from a pipe.
  outliveOutput(logFormat === 'json');
  const format = logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  const write = (given: string): void => {
    const line = printableUrl(given);
    process.stderr.write(format === 'json' ? line : textOf(line));
  };
  const options = {
    level: logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, { write });
}

interface Entry {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string; message?: string };
}

function textOf(line: string): string {
  const { level, time, msg = '', err, ...facts } = JSON.parse(line) as Entry;
  const rest = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const words = [time, level.toUpperCase().padEnd(5), printable(msg), printable(rest.join(' '))];
  const text = words.filter((word) => word !== '').join(' ');
  const stack = err?.stack ?? err?.message;
  return stack === undefined
    ? `${text}\n`
    : `${text}\n${stack
        .split('\n')
        .map((one) => `  ${printable(one)}\n`)
        .join('')}`;
}
