// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import assert from 'node:assert/strict';
import type { ChainEvent, ErrorCode } from '@netd/protocol';
import type { Outcome, Submission } from '../block-execution.ts';
import type { TestChain } from './test-chain.ts';

export function verdictOf(outcome: Outcome): ErrorCode | 'accepted' {
  return outcome.ok ? 'accepted' : outcome.refusal.code;
}

/** @throws AssertionError if the envelope was refused */
export function accepted(outcome: Outcome): Pick<ChainEvent, 'type' | 'data'>[] {
  if (!outcome.ok) {
    assert.fail(`refused with ${outcome.refusal.code} ${JSON.stringify(outcome.refusal.data)}`);
  }
  return outcome.events.map(({ type, data }) => ({ type, data }));
}

/** Messages must be sentences without a path. */
function assertSentence(message = 'it is said by the code'): void {
  assert.match(message, /^\S+ .* ?\S+$|^\S+ has$/, 'one word is no sentence');
  assert.doesNotMatch(message, /^(?:is|are|has|stands|at|by|to|until|of|for)\b|\.$/, 'no subject');
}

/** Also checks that the refused envelope left no trace. */
export function refused(chain: TestChain, submission: Submission, code: ErrorCode): void {
  const { ledger } = chain;
  const before = ledger.tip.stateRoot;
  const context = ledger.nextContext();
  const without = ledger.open(context).finish();
  const { outcomes, executed } = ledger.execute([submission], context);
  assert.deepEqual(outcomes.map(verdictOf), [code]);
  for (const outcome of outcomes) if (!outcome.ok) assertSentence(outcome.refusal.data.message);
  assert.deepEqual([...executed.changes], [...without.changes]);
  assert.deepEqual(executed.transitions, without.transitions);
  assert.deepEqual(executed.events, without.events);
  assert.equal(executed.state.spentNonces().size, 0);
  if (without.transitions.length === 0) assert.equal(ledger.tip.stateRoot, before);
}
