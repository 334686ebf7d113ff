import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { plays } from '@netd/protocol/testing';
import { BlockExecution } from './block-execution.ts';
import { listenToRules, requireThat, RuleError } from './rule-error.ts';
import { ALL_REFUSALS } from './testing/refusals/all.ts';
import { standardChain } from './testing/refusals/case.ts';
import { TransitionTrace } from './transition-trace.ts';

describe('the trace of a refusal', () => {
  // A build traces every fifth.
  const some = ALL_REFUSALS.filter((_refusal, index) => index % 5 === 0);
  for (const refusal of plays(some, ALL_REFUSALS)) {
    const { subject, code, rule, policy, provoke } = refusal;
    test(`${subject} ${code}, ${rule}: ends with the rule that refused, and is the same again`, () => {
      const chain = standardChain(policy);
      const submission = provoke(chain);
      const { ledger } = chain;
      const context = ledger.nextContext();
      const traced = () => {
        const trace = new TransitionTrace();
        const traceOf = (hash: string) =>
          hash === submission.encoded.transitionHash ? trace : null;
        const { height, blockHash, stateRoot } = ledger.tip;
        assert.equal(context.height, height + 1);
        assert.equal(context.previousBlockHash, blockHash);
        new BlockExecution(ledger, context, { stateRoot }, { traceOf }).execute(submission);
        return trace;
      };
      const trace = traced();
      const failed = trace.rules.filter(({ holds }) => !holds);
      assert.deepEqual(
        failed.map((each) => each.code),
        [code],
      );
      assert.equal(trace.rules.at(-1), failed[0]);
      assert.equal(trace.refusal?.code, code);
      assert.deepEqual([trace.writes, trace.timers, trace.events], [[], [], []]);
      assert.deepEqual(traced().rules, trace.rules);
    });
  }
});

test('a rule gives a reason only if it refuses, and the listener is gone after an error', () => {
  const heard: string[] = [];
  const never = (): string => assert.fail('a message was made for a rule that holds');
  const run = (): void =>
    listenToRules(
      ({ code, holds }) => heard.push(`${code} ${holds}`),
      () => {
        requireThat(true, 'AGENT_UNKNOWN', '/payload/to', never);
        requireThat(0, 'AMOUNT_INVALID' as 'AGENT_UNKNOWN', '/payload/amount', () => 'is nothing');
      },
    );
  assert.throws(run, (error) => error instanceof RuleError && error.data.message === 'is nothing');
  requireThat(true, 'AGENT_UNKNOWN', '/payload/to');
  assert.deepEqual(heard, ['AGENT_UNKNOWN true', 'AMOUNT_INVALID false']);
});

test('every rule of the ledger is asked by requireThat: none refuses beside it', () => {
  const root = import.meta.dirname;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/test\.ts$|^testing|rule-error\.ts$/.test(file),
  );
  assert.ok(files.length > 100);
  const beside = files.filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('new RuleError'),
  );
  assert.deepEqual(beside, []);
});
