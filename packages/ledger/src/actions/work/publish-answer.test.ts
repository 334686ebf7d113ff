import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refused } from '../../testing/expectations.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import {
  committeeOf,
  delivered,
  lapse,
  orderIn,
  VERIFIERS,
  vote,
  workNetwork,
} from '../../testing/work.ts';

const ANSWER = { orderId: 'o-1', answer: 'REJECT' };

/** An order that has ended. The last of its jurors stays silent. */
function ended(...verdicts: ('ACCEPT' | 'REJECT' | 'UNJUDGEABLE')[]): TestChain {
  const { chain } = workNetwork(2, VERIFIERS);
  delivered(chain, { sealedVotes: false });
  for (const [at, verdict] of verdicts.entries())
    vote(chain, committeeOf(chain)[at] ?? '', verdict);
  while (orderIn(chain).phase !== 'ENDED') lapse(chain);
  return chain;
}

describe('a published answer', () => {
  test('counts for the jurors that voted so, and against the others', () => {
    const chain = ended('REJECT', 'ACCEPT', 'REJECT');
    const [first = '', wrong = '', last = ''] = committeeOf(chain);
    chain.does(OPERATOR, 'publishAnswer', ANSWER);
    const measured = (id: string) => chain.record('verifier', id)?.measured;
    const one = { agreed: 0, silent: 0, wrong: 0 };
    assert.deepEqual(measured(first), { ...one, agreed: 1 });
    assert.deepEqual(measured(wrong), { ...one, wrong: 1 });
    assert.deepEqual(measured(last), { ...one, agreed: 1 });
    assert.equal(orderIn(chain).knownAnswer, 'REJECT');
  });
  test('counts an abstention and a missing vote as silence', () => {
    const chain = ended('UNJUDGEABLE', 'UNJUDGEABLE');
    chain.does(OPERATOR, 'publishAnswer', ANSWER);
    for (const id of committeeOf(chain)) {
      const { measured } = chain.record('verifier', id) ?? {};
      assert.deepEqual(measured, { agreed: 0, silent: 1, wrong: 0 });
    }
  });
  test('comes once, and from an operator', () => {
    const chain = ended('REJECT', 'REJECT');
    refused(chain, chain.intent('alice', 'publishAnswer', ANSWER), 'CAPABILITY_MISSING');
    chain.does(OPERATOR, 'publishAnswer', ANSWER);
    refused(chain, chain.intent(OPERATOR, 'publishAnswer', ANSWER), 'WORK_NOT_MEASURED');
  });
});
