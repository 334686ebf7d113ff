/** Verdicts that a party proves, from version 2 of the rules on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contestBondOf, MAX_PROOF_STEPS_OF_BLOCK, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, workOrderOf } from '@netd/protocol/testing';
import { StateOverlay } from '../../state.ts';
import { refused } from '../../testing/expectations.ts';
import { acceptanceOf, deliveredText, proofOf } from '../../testing/proofs.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import {
  balance,
  BOND as BONDED,
  commit,
  committeeOf,
  FEE,
  lapse,
  orderIn,
  reveal,
  vote,
  workNetwork,
} from '../../testing/work.ts';
import type { WorkVote } from './records.ts';
import { workStatsOf } from './order.ts';
import { judgedOnce } from './prove-verdict.ts';

const NAMES = 'abcdefghijklm'.split('').map((letter) => `verifier-of-${letter}`);
const ACCOUNTS = ['alice', 'bob', 'net:escrow', 'net:bonds', 'net:reward-pool', ...NAMES];
const BOND = contestBondOf(FUNDING);
const SHORT = { kind: 'json-schema', schema: { type: 'string', maxLength: 5 } };
const REVIEW = { kind: 'review', question: 'Is it good?' };
const GOOD = '"short"';
const BAD = '"too long"';

function network() {
  const { chain, gain } = workNetwork(2, NAMES, ACCOUNTS);
  const sum = (): number => ACCOUNTS.reduce((all, id) => all + gain(id), 0);
  const gains = (): number[] => [gain('alice'), gain('bob'), sum()];
  return { chain, gains };
}

function judged(chain: TestChain, verdict: WorkVote['vote']): TestChain {
  for (const verifierId of committeeOf(chain)) {
    if (orderIn(chain).phase !== 'REVIEW') break;
    assert.ok(vote(chain, verifierId, verdict).ok);
  }
  return chain;
}

const contest = { orderId: 'o-1', reasonHash: hashOfDigit('f'), bond: BOND };
const endOf = (chain: TestChain) => {
  const { status, phase, reason } = orderIn(chain);
  return phase === 'ENDED' ? [status, reason] : phase;
};

/** Brings a delivered order to a phase. */
const PHASES: Readonly<Record<string, (chain: TestChain) => unknown>> = {
  REVIEW: () => {},
  REVEAL: (chain) => {
    for (const verifierId of committeeOf(chain)) assert.ok(commit(chain, verifierId, 'ACCEPT').ok);
  },
  VERIFIED: (chain) => judged(chain, 'ACCEPT'),
  VOTED_DOWN: (chain) => judged(chain, 'REJECT'),
  UNJUDGED: (chain) => judged(chain, 'UNJUDGEABLE'),
  CONTESTED: (chain) => judged(chain, 'UNJUDGEABLE').does('alice', 'openDispute', contest),
  'REVIEW again': (chain) => judged(chain, 'REJECT').does('bob', 'openDispute', contest).block([]),
  DISPUTED: (chain) => {
    judged(chain, 'ACCEPT').does('alice', 'openDispute', contest).block([]);
    lapse(chain);
  },
};

describe('a proven verdict', () => {
  for (const [phase, bring] of Object.entries(PHASES)) {
    test(`pays the worker whose result meets the acceptance (${phase})`, () => {
      const { chain, gains } = network();
      bring(deliveredText(chain, [SHORT], GOOD, { sealedVotes: phase === 'REVEAL' }));
      assert.equal(orderIn(chain).phase, phase.split(' ')[0]);
      chain.does('bob', 'proveVerdict', proofOf([SHORT], GOOD));
      assert.deepEqual(endOf(chain), ['PAID', null]);
      const [alice = 0, bob = 0, sum] = gains();
      const bond = ['CONTESTED', 'DISPUTED'].includes(phase) ? BOND : 0;
      const fee = ['REVIEW', 'REVEAL', 'VOTED_DOWN', 'REVIEW again'].includes(phase) ? 0 : FEE;
      assert.deepEqual([alice, bob, sum], [-FUNDING - bond - fee, FUNDING + bond, 0]);
      const isCounted = phase === 'VERIFIED' || phase === 'DISPUTED';
      const { verifiedOrders } = workStatsOf(new StateOverlay(chain.ledger), 'bob');
      assert.equal(verifiedOrders, Number(isCounted), 'only a jury gives weight');
    });
    test(`refunds the requester of a result that fails (${phase})`, () => {
      const { chain, gains } = network();
      bring(deliveredText(chain, [REVIEW, SHORT], BAD, { sealedVotes: phase === 'REVEAL' }));
      chain.does('alice', 'proveVerdict', proofOf([REVIEW, SHORT], BAD));
      const isUpheld = phase === 'VOTED_DOWN' || phase === 'REVIEW again';
      assert.deepEqual(endOf(chain), [
        'REJECTED',
        isUpheld ? 'VERIFICATION_REJECTED' : 'DISPROVEN',
      ]);
      const [alice = 0, bob = 0, sum] = gains();
      const bond = phase === 'REVIEW again' ? BOND : 0;
      const fee = isUpheld || phase === 'UNJUDGED' || phase === 'CONTESTED' ? FEE : 0;
      assert.deepEqual([alice, bob, sum], [bond - fee, 0 - bond, 0]);
    });
  }

  test('costs the jurors that it contradicts a tenth of the bond, once, and no others', () => {
    for (const [text, wrong, right] of [
      [GOOD, 'REJECT', 'ACCEPT'],
      [BAD, 'ACCEPT', 'REJECT'],
    ] as const) {
      const { chain, gains } = network();
      deliveredText(chain, [SHORT], text, { sealedVotes: false });
      const [liar = '', honest = '', silent = ''] = committeeOf(chain);
      assert.ok(vote(chain, liar, wrong).ok);
      assert.ok(vote(chain, honest, right).ok);
      const before = balance(chain, 'net:reward-pool');
      chain.does('alice', 'proveVerdict', proofOf([SHORT], text));
      const lost = (id: string): number => BONDED - (chain.record('verifier', id)?.bond ?? 0);
      assert.deepEqual([liar, honest, silent].map(lost), [BONDED / 10, 0, 0]);
      assert.equal(balance(chain, 'net:reward-pool') - before, BONDED / 10);
      assert.equal(gains()[2], 0);
    }
  });

  test('pays no fee to a second jury whose majority it contradicts', () => {
    for (const [text, wrong, contester] of [
      [GOOD, 'REJECT', 'bob'],
      [BAD, 'ACCEPT', 'alice'],
    ] as const) {
      const { chain, gains } = network();
      deliveredText(chain, [SHORT], text, { sealedVotes: true });
      for (const id of committeeOf(chain)) assert.ok(vote(chain, id, wrong).ok);
      chain.does(contester, 'openDispute', contest).block([]);
      const members = committeeOf(chain);
      for (const id of members) assert.ok(commit(chain, id, wrong).ok);
      for (const id of members.slice(1)) assert.ok(reveal(chain, id, wrong).ok);
      chain.does(contester, 'proveVerdict', proofOf([SHORT], text));
      const expected = text === GOOD ? [-FUNDING, FUNDING, 0] : [0, 0, 0];
      assert.deepEqual(gains(), expected, contester);
    }
  });

  test('costs no bond for a sealed vote that was not revealed', () => {
    const { chain } = network();
    deliveredText(chain, [SHORT], BAD, { sealedVotes: true });
    const members = committeeOf(chain);
    for (const id of members) assert.ok(commit(chain, id, 'ACCEPT').ok);
    chain.does('alice', 'proveVerdict', proofOf([SHORT], BAD));
    for (const id of members) assert.equal(chain.record('verifier', id)?.bond, BONDED);
  });

  test('comes from either party, with the exact acceptance and result', () => {
    const { chain } = network();
    deliveredText(chain, [SHORT], GOOD);
    const proof = (members: JsonObject): JsonObject => ({ ...proofOf([SHORT], GOOD), ...members });
    const refuses = (who: string, payload: JsonObject, code: Parameters<typeof refused>[2]): void =>
      refused(chain, chain.intent(who, 'proveVerdict', payload), code);
    refuses('carol', proof({}), 'NOT_WORK_PARTY');
    refuses('bob', proofOf([SHORT], BAD), 'PROOF_MISMATCH');
    refuses('bob', proofOf([], GOOD), 'PROOF_MISMATCH');
    refuses('bob', proof({ acceptance: ['A'] }), 'PROOF_MISMATCH');
    const { result: _result, ...alone } = proofOf([SHORT], GOOD);
    refuses('bob', alone, 'PROOF_INCONCLUSIVE');
    chain.does('alice', 'proveVerdict', proof({}));
  });

  test('leaves an order with open conditions to its jury', () => {
    const { chain } = network();
    deliveredText(chain, [SHORT, REVIEW], GOOD);
    const intent = chain.intent('bob', 'proveVerdict', proofOf([SHORT, REVIEW], GOOD));
    refused(chain, intent, 'PROOF_INCONCLUSIVE');
    assert.deepEqual(endOf(judged(chain, 'ACCEPT')), 'VERIFIED');
  });

  test('shows another hash without the result, but never the same one', () => {
    const { chain } = network();
    const other = [{ kind: 'sha256', hash: hashOfDigit('1') }];
    deliveredText(chain, other, GOOD);
    const { result: _result, ...alone } = proofOf(other, GOOD);
    chain.does('alice', 'proveVerdict', alone);
    assert.deepEqual(endOf(chain), ['REJECTED', 'DISPROVEN']);
  });

  for (const [name, condition, code] of [
    ['a pattern outside the grammar', { pattern: '(?=a)' }, 'PROOF_UNJUDGEABLE'],
    ['an endless search', { pattern: `${'(a?){90}'.repeat(9)}b` }, 'PROOF_TOO_COSTLY'],
  ] as const) {
    test(`is refused for ${name}`, () => {
      const { chain } = network();
      const conditions = [{ kind: 'json-schema', schema: condition }];
      const text = JSON.stringify('a'.repeat(3_000));
      deliveredText(chain, conditions, text);
      refused(chain, chain.intent('bob', 'proveVerdict', proofOf(conditions, text)), code);
      assert.equal(endOf(chain), 'REVIEW');
    });
  }

  test('judges the same refused bytes once, because no block counts its steps', () => {
    let count = 0;
    const judge = () => ({ verdict: 'open' as const, steps: ++count });
    const steps = ['a', 'b', 'a', 'b'].map((key) => judgedOnce(key, judge).steps);
    assert.deepEqual(steps, [1, 2, 1, 2]);
  });

  test('refunds a result with a number that is too long, as jurors reject it', () => {
    const { chain } = network();
    const text = `[${'1'.repeat(401)}]`;
    deliveredText(chain, [SHORT], text);
    chain.does('alice', 'proveVerdict', proofOf([SHORT], text));
    assert.deepEqual(endOf(chain), ['REJECTED', 'DISPROVEN']);
  });

  test('waits for another block if this one has judged enough', () => {
    const { chain } = network();
    deliveredText(chain, [SHORT], GOOD);
    const height = chain.height + 1;
    const seeded = { height, steps: MAX_PROOF_STEPS_OF_BLOCK };
    chain.ledger.seed('proof-steps', 'latest', seeded);
    const proof = proofOf([SHORT], GOOD);
    refused(chain, chain.intent('bob', 'proveVerdict', proof), 'PROOF_BLOCK_FULL');
    chain.ledger.seed('proof-steps', 'latest', { ...seeded, height: height - 1 });
    chain.does('bob', 'proveVerdict', proof);
    assert.equal(balance(chain, 'net:escrow'), 0);
  });

  test('is refused for an order that did not ask for provable verdicts', () => {
    const { chain } = network();
    chain
      .does('alice', 'createWorkOrder', workOrderOf('o-1'))
      .does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
    const intent = () => chain.intent('bob', 'proveVerdict', proofOf([SHORT], GOOD));
    refused(chain, intent(), 'WORK_NOT_IN_VERIFICATION');
    chain.does('bob', 'submitWorkResult', {
      orderId: 'o-1',
      agentId: 'bob',
      deliverableHash: acceptanceOf([SHORT]).hash,
    });
    refused(chain, intent(), 'WORK_NOT_PROVABLE');
  });
});
