import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { FORMAT_ERROR_TABLE } from '@netd/formats';
import { ERROR_TABLE } from '@netd/protocol';
import { validateErrorTable } from '@netd/protocol/testing';
import { AGENT_ERROR_TABLE, AgentError, type AgentErrorCode } from './agent-error.ts';

const codes = Object.keys(AGENT_ERROR_TABLE) as AgentErrorCode[];

test('every code is thrown somewhere', () => {
  const folder = new URL('../', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|agent-error/.test(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  // Nodes warn with this code, and an event passes it on.
  const isTold = new Set(['FUNDING_DOES_NOT_COUNT']);
  const unused = codes.filter(
    (code) => !isTold.has(code) && !sources.some((text) => text.includes(`'${code}'`)),
  );
  assert.deepEqual(unused, []);
});

test('every code that an event carries has a page', () => {
  const folder = new URL('./', import.meta.url);
  const pages = new Set<string>(
    [ERROR_TABLE, AGENT_ERROR_TABLE, FORMAT_ERROR_TABLE].flatMap(Object.keys),
  );
  const told = readdirSync(folder, { encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(
        /(?:code: |codeOf\(error\) \?\? )'([A-Z_]+)'/g,
      ),
    ])
    .map(([, code]) => String(code));
  assert.ok(told.includes('HANDLER_FAILED') && told.includes('UNEXPECTED'));
  assert.deepEqual(
    told.filter((code) => !pages.has(code)),
    [],
  );
});

test('each says what happened and what to do, in sentences', () => {
  assert.deepEqual(validateErrorTable(AGENT_ERROR_TABLE), []);
  for (const code of codes) {
    const error = new AgentError(code, 'a detail');
    assert.equal(error.code, code);
    assert.match(error.message, /^[A-Z][^\n]+ \(a detail\)\. [A-Z][^\n]+\. \[[A-Z_]+\]$/, code);
  }
});

test('a program that ends by one shows code, sentence and advice, and its stack on request', () => {
  const endOf = (env: NodeJS.ProcessEnv): string =>
    endedBy('agent/agent-error.ts', `AgentError('AGENT_RUNNING', 'ada')`, env);
  const { title, advice } = AGENT_ERROR_TABLE.AGENT_RUNNING;
  const plain = endOf({ NET_DEBUG: '' });
  assert.ok(plain.includes(`AgentError AGENT_RUNNING: ${title} (ada).\n  ${advice}\n`), plain);
  assert.doesNotMatch(plain, /at .*node:internal/);
  assert.match(endOf({ NET_DEBUG: '1' }), /at .*node:internal/);
});

test('a program that ends by a refusal of a node shows it without a stack', () => {
  const problem = `{ title: 'The balance is too low', detail: 'Draw some.', code: 'INSUFFICIENT_BALANCE' }`;
  const plain = endedBy('http.ts', `NetError(409, ${problem})`, { NET_DEBUG: '' });
  assert.match(plain, /NetError: The balance is too low\. Draw some\. \[INSUFFICIENT_BALANCE\]\n/);
  assert.doesNotMatch(plain, /at .*node:internal/);
});

/** Returns what a program prints that throws an error of a module. */
function endedBy(module: string, thrown: string, env: NodeJS.ProcessEnv): string {
  const from = new URL(`../${module}`, import.meta.url).href;
  const [name = ''] = thrown.split('(');
  const program = `import { ${name} } from '${from}'; throw new ${thrown};`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  }).stderr;
}

test('printed on its own it has a title, a reason if there is one, and advice', () => {
  const error = new AgentError('NODE_UNREACHABLE', 'here', { cause: new Error('refused') });
  const { title, advice } = AGENT_ERROR_TABLE.NODE_UNREACHABLE;
  const lines = [
    `AgentError NODE_UNREACHABLE: ${title} (here).`,
    '  because: refused',
    `  ${advice}`,
  ];
  assert.equal(inspect(error), lines.join('\n'));
  assert.match(error.stack ?? '', /agent-error\.test\.ts/);
});

test('the reason is the deepest cause, because the others only say that a request failed', () => {
  const one = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const several = Object.assign(new AggregateError([one], ''), { code: 'ECONNREFUSED' });
  for (const [cause, why] of [
    [one, 'connect ECONNREFUSED 127.0.0.1:1'],
    [several, 'ECONNREFUSED'],
  ] as const) {
    const failed = new TypeError('fetch failed', { cause });
    const error = new AgentError('NODE_UNREACHABLE', 'here', { cause: failed });
    assert.equal(inspect(error).split('\n')[1], `  because: ${why}`);
  }
});
