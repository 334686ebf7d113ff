import type { TraceReport } from '@netd/node/verify';
import { columns, jsonText } from './printable.ts';
import type { Terminal } from './terminal.ts';

const LONGEST = 120;

export function traceText(terminal: Terminal, title: string, report: TraceReport): string {
  const { rules, reads, writes, timers, events, refusal, leftOut } = report;
  const section = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : ['', terminal.paint('bold', name), ...lines.map((line) => `  ${line}`)];
  const rows = (list: readonly string[][]): string[] =>
    list.length === 0
      ? []
      : columns(list)
          .split('\n')
          .map((line) => line.replace(/^ {2}/, ''));
  return [
    title,
    ...section(
      'rules, in order',
      rows(rules.map(({ code, path, holds }) => [holds ? '✓' : '✗', code, path])),
    ),
    ...(refusal
      ? [`  ${terminal.paint('red', refusal.code)} ${refusal.path} ${refusal.message}`]
      : []),
    ...section('read', rows(reads.map(({ key, value }) => [key, short(value)]))),
    ...section(
      'written',
      writes.flatMap(({ key, before, after }) => [
        key,
        `  - ${short(before)}`,
        `  + ${short(after)}`,
      ]),
    ),
    ...section('will come by itself', rows(timers.map(timerRow))),
    ...section('events', rows(events.map(({ type, data }) => [type, short(data)]))),
    ...(leftOut === 0 ? [] : ['', `${leftOut} entries or long values are left out`]),
  ].join('\n');
}

function timerRow({ kind, subject, height, time }: TraceReport['timers'][number]): string[] {
  if (height === null) return [kind, subject, 'no longer'];
  const from = [
    ...(height > 0 ? [`height ${height}`] : []),
    ...(time ? [new Date(time).toISOString()] : []),
  ];
  return [kind, subject, `from ${from.join(' and ')} on`];
}

function short(value: unknown): string {
  if (value === null) return 'nothing';
  const text = jsonText(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
