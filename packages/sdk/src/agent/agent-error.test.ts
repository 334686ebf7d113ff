import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AGENT_ERROR_TABLE, AgentError, type AgentErrorCode } from './agent-error.ts';

const codes = Object.keys(AGENT_ERROR_TABLE) as AgentErrorCode[];

test('every code is thrown somewhere', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^agent-error/.test(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  sources.push(readFileSync(new URL('../key-file.ts', folder), 'utf8'));
  const unused = codes.filter(
    (code) => !sources.some((text) => text.includes(`AgentError('${code}'`)),
  );
  assert.deepEqual(unused, []);
});

test('each says what happened and what to do, in sentences', () => {
  for (const code of codes) {
    const error = new AgentError(code, 'a detail');
    assert.equal(error.code, code);
    assert.match(error.message, /^[A-Z][^\n]+ \(a detail\)\. [A-Z][^\n]+\.$/, code);
  }
});
