/** Services and commands survive a log that cannot be written. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { EXIT } from './exit-codes.ts';

const MODULE = JSON.stringify(new URL('error-log.ts', import.meta.url).href);
/** Writes thousands of lines, and one of the kind for which pino waits. */
const PROGRAM = `
  import { errorLog } from ${MODULE};
  const log = errorLog({ logLevel: 'warn', logFormat: 'json' });
  for (let i = 0; i < 5_000; i++) log.error('x'.repeat(1_000));
  log.fatal('the last: http://ada:secret@a.example/?key=secret');
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log('goes on');`;

test('a service keeps running if its log is on a full disk', (t) => {
  if (!existsSync('/dev/full')) return t.skip('nothing here is always full');
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const args = ['--input-type=module', '-e', PROGRAM];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', full],
  });
  assert.deepEqual([status, stdout], [0, 'goes on\n']);
});

test('a service loses no line if its log can be written', () => {
  const args = ['--input-type=module', '-e', PROGRAM];
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, args, options);
  assert.equal(status, 0);
  assert.equal(stderr.trimEnd().split('\n').length, 5_001);
  assert.ok(stderr.includes('http://***@a.example/?***'));
  assert.ok(!stderr.includes('secret'));
});

const COMMAND = `
  import { processTerminal } from ${JSON.stringify(new URL('terminal.ts', import.meta.url).href)};
  import { errorLog } from ${MODULE};
  const terminal = processTerminal();
  if (process.argv[1] === 'service') errorLog({ logLevel: 'warn', logFormat: 'json' }).error('log');
  terminal.print('answer');
  terminal.note('note');
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.exitCode = 7;`;

test('a full disk under its output fails a command in a sentence, and ends no service', (t) => {
  if (!existsSync('/dev/full')) return t.skip('nothing here is always full');
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const run = (kind: string, stdout: 'pipe' | number, stderr: 'pipe' | number) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', COMMAND, kind], {
      encoding: 'utf8',
      stdio: ['ignore', stdout, stderr],
    });
  const command = run('command', full, 'pipe');
  assert.equal(command.status, EXIT.failed);
  assert.match(
    command.stderr,
    /^(note\n)?netd: the output cannot be written: ENOSPC.*\n(note\n)?$/,
  );
  // Lost notes do not change the exit code.
  assert.equal(run('command', 'pipe', full).status, 7);
  assert.equal(run('command', full, full).status, EXIT.failed);
  assert.equal(run('service', full, full).status, 7);
});

test('a service that logs JSON writes only objects to standard error', () => {
  const args = ['--input-type=module', '-e', COMMAND];
  const saidBy = (kind: string): string[] =>
    spawnSync(process.execPath, [...args, kind], { encoding: 'utf8' })
      .stderr.trimEnd()
      .split('\n');
  const entries = saidBy('service').map(
    (line) => JSON.parse(line) as { level: string; msg: string },
  );
  assert.deepEqual(
    entries.map(({ level, msg }) => [level, msg]),
    [
      ['error', 'log'],
      ['info', 'note'],
    ],
  );
  assert.deepEqual(saidBy('command'), ['note']);
});

/**
 * https://github.com/agents-squads/squads-cli/issues/138 asks for status 0, which would also hide a failed
 * action.
 */
test('a command keeps its exit code if its standard error is closed', async () => {
  const args = ['--input-type=module', '-e', COMMAND, 'command'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.destroy();
  const [[status], answer] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  assert.deepEqual([status, answer], [7, 'answer\n']);
});

const SHORT = `
  import { errorLog } from ${MODULE};
  const log = errorLog({ logLevel: process.argv[1], logFormat: process.argv[2] });
  log.debug('quiet');
  log.info({ height: 7 }, 'a block');
  log.warn('careful\\u001b[31m');
  log.error({ err: new Error('it broke') }, 'a defect');`;

function said(level: string, format: string): string[] {
  const args = ['--input-type=module', '-e', SHORT, level, format];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return stderr.trimEnd().split('\n');
}

test('every line has a time, a level and a sentence, as JSON or as text', () => {
  const entries = said('info', 'json').map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    entries.map(({ level, msg, height }) => [level, msg, height]),
    [
      ['info', 'a block', 7],
      ['warn', 'careful\u001b[31m', undefined],
      ['error', 'a defect', undefined],
    ],
  );
  for (const { time } of entries) assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const lines = said('info', 'text');
  assert.match(String(lines[0]), /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}a block height=7$/);
  assert.match(String(lines[1]), /Z WARN {2}careful$/);
  assert.match(String(lines[2]), /Z ERROR a defect$/);
  assert.match(String(lines[3]), /^ {2}Error: it broke$/);
});

test('a level shows itself and those above it', () => {
  const counts = ['debug', 'info', 'warn', 'error', 'silent'].map(
    (level) => said(level, 'json').filter((line) => line !== '').length,
  );
  assert.deepEqual(counts, [4, 3, 2, 1, 0]);
});
