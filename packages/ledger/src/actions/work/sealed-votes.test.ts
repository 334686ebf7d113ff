/** Sealed votes: commitments first, then all votes together. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { contestBondOf, voteCommitment, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, runs } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import { accepted, refused } from '../../testing/expectations.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import { DEFAULT_VALIDATION_POLICY } from './validation-policy.ts';
import {
  commit,
  committeeOf,
  delivered,
  FEE,
  lapse,
  orderIn,
  reveal,
  revealOf,
  vote,
  workNetwork,
} from '../../testing/work.ts';

const { minimumSpans } = DEVNET_POLICY.work;
const NAMES = 'abcdefghijklm'.split('').map((letter) => `verifier-of-${letter}`);
const SALT = hashOfDigit('5');

const TWO = { validationPolicy: { ...DEFAULT_VALIDATION_POLICY, committeeSize: 2 } };
const CLASSES = ['net:escrow', 'net:bonds', 'net:reward-pool'];

function network(members: JsonObject = {}) {
  const { chain, gain } = workNetwork(2, NAMES, ['alice', 'bob', ...CLASSES, ...NAMES]);
  return { chain: delivered(chain, members), gain };
}

const memberOf = (chain: TestChain, at: number): string => committeeOf(chain)[at] ?? '';
const phaseOf = (chain: TestChain): string => orderIn(chain).phase;

function committed(chain: TestChain, ...verdicts: ('ACCEPT' | 'REJECT' | 'UNJUDGEABLE')[]): void {
  verdicts.forEach((verdict, at) => accepted(commit(chain, memberOf(chain, at), verdict)));
}

describe('sealed votes', () => {
  test('are counted once all are revealed, and earn the fee', () => {
    const { chain, gain } = network();
    committed(chain, 'ACCEPT', 'ACCEPT');
    assert.equal(phaseOf(chain), 'REVIEW');
    const opened = accepted(commit(chain, memberOf(chain, 2), 'REJECT'));
    assert.deepEqual(
      opened.map(({ type }) => type),
      ['WorkVoteCommitted', 'WorkRevealOpened'],
    );
    const { phase, deadline } = orderIn(chain);
    assert.deepEqual(
      [phase, deadline?.height],
      ['REVEAL', chain.height + minimumSpans.verify.heights],
    );
    for (const at of [0, 1]) accepted(reveal(chain, memberOf(chain, at), 'ACCEPT'));
    assert.equal(phaseOf(chain), 'REVEAL', 'the third can still reveal, and share the fee');
    accepted(reveal(chain, memberOf(chain, 2), 'REJECT'));
    assert.equal(phaseOf(chain), 'VERIFIED');
    while (phaseOf(chain) !== 'ENDED') lapse(chain);
    assert.equal(gain('bob'), FUNDING);
    const shares = committeeOf(chain).map(gain);
    assert.equal(
      shares.reduce((sum, share) => sum + share, 0),
      FEE,
    );
    assert.ok(Math.min(...shares) > 0);
  });

  test('stay hidden until all members have committed, so that none can copy them', () => {
    const { chain } = network();
    const [first = '', second = '', third = ''] = committeeOf(chain);
    committed(chain, 'ACCEPT');
    const early = revealOf(first, 'ACCEPT');
    refused(chain, chain.intent(first, 'voteWork', early), 'VOTES_SEALED');
    const { salt: _salt, ...open } = revealOf(second, 'ACCEPT');
    refused(chain, chain.intent(second, 'voteWork', open), 'VOTES_SEALED');
    // The commitment of another member opens to no vote of the copier.
    const commitment = orderIn(chain).verification?.commitments?.[0]?.commitment ?? '';
    chain.does(second, 'voteWork', { orderId: 'o-1', verifierId: second, commitment });
    accepted(commit(chain, third, 'REJECT'));
    accepted(reveal(chain, first, 'ACCEPT'));
    refused(
      chain,
      chain.intent(second, 'voteWork', revealOf(second, 'ACCEPT')),
      'VOTE_COMMITMENT_MISMATCH',
    );
  });

  test('are final with the commitment', () => {
    const { chain } = network();
    const [first = '', second = '', third = ''] = committeeOf(chain);
    committed(chain, 'ACCEPT');
    for (const verdict of ['ACCEPT', 'REJECT'] as const) {
      const commitment = voteCommitment({
        orderId: 'o-1',
        round: 1,
        verifierId: first,
        vote: verdict,
        salt: SALT,
      });
      const again = { orderId: 'o-1', verifierId: first, commitment };
      refused(chain, chain.intent(first, 'voteWork', again), 'VOTE_ALREADY_CAST');
    }
    for (const member of [second, third]) accepted(commit(chain, member, 'ACCEPT'));
    refused(
      chain,
      chain.intent(first, 'voteWork', revealOf(first, 'REJECT')),
      'VOTE_COMMITMENT_MISMATCH',
    );
    const { salt: _salt, ...unsalted } = revealOf(first, 'ACCEPT');
    refused(chain, chain.intent(first, 'voteWork', unsalted), 'PAYLOAD_INVALID');
    accepted(reveal(chain, first, 'ACCEPT'));
    const twice = chain.intent(first, 'voteWork', revealOf(first, 'ACCEPT'));
    refused(chain, twice, 'VOTE_ALREADY_CAST');
  });

  test('that stay sealed count as silence, without a fee, and cost no bond', () => {
    const { chain, gain } = network();
    committed(chain, 'ACCEPT', 'ACCEPT', 'REJECT');
    const [first = '', second = '', third = ''] = committeeOf(chain);
    accepted(reveal(chain, first, 'ACCEPT'));
    accepted(reveal(chain, second, 'ACCEPT'));
    const { bond } = chain.record('verifier', third)!;
    lapse(chain);
    assert.equal(phaseOf(chain), 'VERIFIED');
    while (phaseOf(chain) !== 'ENDED') lapse(chain);
    const { votesMissed, bond: left } = chain.record('verifier', third)!;
    assert.deepEqual([votesMissed, left, gain(third)], [1, bond, 0]);
  });

  test('are revealed at the end of the review if enough members have committed', () => {
    const { chain } = network();
    committed(chain, 'REJECT', 'REJECT');
    const late = memberOf(chain, 2);
    lapse(chain);
    assert.equal(phaseOf(chain), 'REVEAL');
    assert.equal(chain.record('verifier', late)?.votesMissed, 1);
    const commitment = hashOfDigit('c');
    refused(
      chain,
      chain.intent(late, 'voteWork', { orderId: 'o-1', verifierId: late, commitment }),
      'WORK_NOT_IN_VERIFICATION',
    );
    refused(
      chain,
      chain.intent(late, 'voteWork', revealOf(late, 'ACCEPT')),
      'VOTE_COMMITMENT_MISMATCH',
    );
    for (const at of [0, 1]) accepted(reveal(chain, memberOf(chain, at), 'REJECT'));
    assert.equal(phaseOf(chain), 'VOTED_DOWN');
    assert.equal(chain.record('verifier', late)?.votesMissed, 1, 'silence counts once');
  });

  test('keep their commitments if further members are drawn', () => {
    const { chain } = network();
    committed(chain, 'ACCEPT');
    const first = memberOf(chain, 0);
    lapse(chain);
    assert.deepEqual([orderIn(chain).verification?.round, phaseOf(chain)], [2, 'REVIEW']);
    for (const member of committeeOf(chain)) {
      if (member !== first) accepted(commit(chain, member, 'ACCEPT'));
    }
    for (const member of committeeOf(chain)) accepted(reveal(chain, member, 'ACCEPT'));
    assert.equal(phaseOf(chain), 'VERIFIED');
  });

  test('of a second jury are sealed too, and bind the jury', () => {
    const { chain } = network();
    committed(chain, 'REJECT', 'REJECT', 'REJECT');
    for (const member of committeeOf(chain)) accepted(reveal(chain, member, 'REJECT'));
    const bond = contestBondOf(FUNDING);
    const contest = { orderId: 'o-1', reasonHash: hashOfDigit('f'), bond };
    chain.does('bob', 'openDispute', contest).block([]);
    assert.deepEqual(orderIn(chain).verification?.commitments, []);
    const [judge = ''] = committeeOf(chain);
    const ofFirstJury = { orderId: 'o-1', round: 1, verifierId: judge, vote: 'ACCEPT', salt: SALT };
    const commitment = voteCommitment(ofFirstJury);
    chain.does(judge, 'voteWork', { orderId: 'o-1', verifierId: judge, commitment });
    for (const member of committeeOf(chain)) {
      if (member !== judge) accepted(commit(chain, member, 'ACCEPT'));
    }
    refused(
      chain,
      chain.intent(judge, 'voteWork', revealOf(judge, 'ACCEPT')),
      'VOTE_COMMITMENT_MISMATCH',
    );
    for (const member of committeeOf(chain)) {
      if (member !== judge) accepted(reveal(chain, member, 'ACCEPT'));
    }
    lapse(chain);
    assert.equal(orderIn(chain).status, 'PAID');
  });

  test('are cast by a jury of three, and by smaller ones if the order says so', () => {
    for (const [members, sealed] of [
      [{}, true],
      [{ sealedVotes: false }, false],
      [TWO, false],
      [{ ...TWO, sealedVotes: true }, true],
    ] as const) {
      const { commitments } = orderIn(network(members).chain).verification ?? {};
      assert.equal(commitments !== undefined, sealed, JSON.stringify(members));
    }
  });

  test('are not cast if the order wants open ones', () => {
    const { chain } = network({ sealedVotes: false });
    const [member = ''] = committeeOf(chain);
    const commitment = hashOfDigit('c');
    refused(
      chain,
      chain.intent(member, 'voteWork', { orderId: 'o-1', verifierId: member, commitment }),
      'PAYLOAD_INVALID',
    );
    accepted(vote(chain, member, 'ACCEPT'));
  });
});

test('every sealed order ends, and silence earns no member anything', () => {
  const act = fc.record({
    commits: fc.constantFrom('ACCEPT', 'REJECT', 'UNJUDGEABLE', null),
    reveals: fc.boolean(),
  });
  const plays = fc.record({
    acts: fc.array(act, { minLength: 16, maxLength: 16 }),
    contests: fc.boolean(),
  });
  fc.assert(
    fc.property(plays, ({ acts, contests }) => {
      const { chain, gain } = network();
      const said = new Map<string, (typeof acts)[number]>();
      let next = 0;
      const plan = (member: string): (typeof acts)[number] => {
        const known = said.get(member) ?? acts[next++ % acts.length]!;
        said.set(member, known);
        return known;
      };
      for (let steps = 0; phaseOf(chain) !== 'ENDED'; steps++) {
        assert.ok(steps < 20, `the order is ${phaseOf(chain)} for ever`);
        const phase = phaseOf(chain);
        for (const member of committeeOf(chain)) {
          const { commits, reveals } = plan(member);
          if (commits === null || phaseOf(chain) !== phase) continue;
          if (phase === 'REVIEW') commit(chain, member, commits);
          if (phase === 'REVEAL' && reveals) reveal(chain, member, commits);
        }
        if (phaseOf(chain) !== phase) continue;
        if (contests && phase === 'VOTED_DOWN') {
          const bond = contestBondOf(FUNDING);
          const contest = { orderId: 'o-1', reasonHash: hashOfDigit('f'), bond };
          chain.does('bob', 'openDispute', contest).block([]);
        } else lapse(chain);
      }
      const accounts = ['alice', 'bob', ...CLASSES, ...NAMES];
      assert.equal(
        accounts.reduce((sum, id) => sum + gain(id), 0),
        0,
      );
      assert.deepEqual([gain('net:escrow'), gain('net:bonds')], [0, 0]);
      for (const [member, { commits, reveals }] of said) {
        if (commits === null || !reveals) assert.equal(gain(member), 0);
      }
    }),
    { numRuns: runs(20) },
  );
});
