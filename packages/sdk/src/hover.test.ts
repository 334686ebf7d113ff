/** Checks the comments above members, which editors show on hover. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const sourceOf = (path: string): string[] =>
  readFileSync(new URL(path, import.meta.url), 'utf8').split('\n');

/** Returns the members of interfaces and types whose names match, and those of them without a comment. */
function members(lines: readonly string[], names: RegExp): { all: string[]; bare: string[] } {
  const all: string[] = [];
  const bare: string[] = [];
  let owner = '';
  for (const [index, line] of lines.entries()) {
    if (line === '}' || line === '  };') owner = '';
    owner = /^(?: {4}|export interface )(\w+)(?:<[^>]*>)?(?::| [{e])/.exec(line)?.[1] ?? owner;
    const member = /^(?: {6,}| {2})(\w+)\??: /.exec(line)?.[1];
    if (member === undefined || !names.test(owner)) continue;
    all.push(`${owner}.${member}`);
    if (lines[index - 1]?.endsWith('*/') !== true) bare.push(`${owner}.${member}`);
  }
  return { all, bare };
}

test('every member of a payload and of a read result has a description', () => {
  const { all, bare } = members(sourceOf('generated/openapi.ts'), /^[A-Z]/);
  assert.ok(all.length > 2_500);
  assert.deepEqual(bare, []);
});

test('every option of hire and of a service has a description', () => {
  for (const [file, names] of [
    ['agent/hire-options.ts', /^(Typed)?HireOptions$/],
    ['agent/work-offer.ts', /WorkOptions$/],
    ['agent/service.ts', /^ServiceDefinition$/],
    ['agent/job-steps.ts', /^DurableJob$/],
    ['agent/retry-policy.ts', /^RetryPolicy$/],
    ['agent/agent-options.ts', /^AgentOptions$/],
    ['agent/telemetry.ts', /^Telemetry$/],
  ] as const) {
    const { all, bare } = members(sourceOf(file), names);
    assert.ok(all.length > 1, file);
    assert.deepEqual(bare, [], file);
  }
});
