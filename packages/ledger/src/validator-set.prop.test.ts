/** Random lives of candidates, and a light client that follows every change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  makeValidatorSet,
  UNET_PER_NET,
  ValidatorSets,
  type ValidatorSet,
  type ValidatorSetChange,
} from '@netd/protocol';
import { runs } from '@netd/protocol/testing';
import { isObservationKind, type Observation } from './observations.ts';
import { goldenChainOf, setChangeOf } from './testing/golden-chain.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { OPERATOR, type TestChain } from './testing/test-chain.ts';
import { changingChain, FOUNDERS } from './testing/validators.ts';
import { votingPowerOf } from './validator-set.ts';

const NET = UNET_PER_NET;
const MAXIMUM = 5;
/** The first four are in genesis. There are more than places. */
const CANDIDATES = [...FOUNDERS, 'eve', 'frank', 'grace'] as const;
const DELEGATORS = ['bob', 'carol'] as const;

const anyStep = fc.record({
  what: fc.constantFrom(
    ...(['delegate', 'delegate', 'undelegate', 'candidate', 'miss', 'miss', 'twice'] as const),
    ...(['unjail', 'resign', 'revoke', 'pass', 'pass', 'pass'] as const),
  ),
  who: fc.constantFrom(...CANDIDATES),
  by: fc.constantFrom(...DELEGATORS),
  amount: fc.integer({ min: 1, max: 400 * NET }),
  count: fc.integer({ min: 1, max: 6 }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Refusals don't matter here; invariants do. */
function play(chain: TestChain, { what, who, by, amount, count }: Step): void {
  const observe = (kind: 'missBlock' | 'slashDoubleSigner', subject: string): void => {
    try {
      chain.block([], 100, [{ kind, subject }]);
    } catch (error) {
      assert.match((error as Error).message, /not observable/);
    }
  };
  switch (what) {
    case 'delegate':
    case 'undelegate':
      chain.act(by, what, { validatorId: who, amount });
      break;
    case 'candidate':
      if (chain.record('validator-candidate', who)) break;
      chain.install(who, 'VALIDATOR');
      break;
    case 'miss':
      for (let left = count; left > 0; left--) observe('missBlock', who);
      break;
    case 'twice':
      // Rarely, because it ends a candidate.
      if (count > 1) break;
      // Reported twice.
      observe('slashDoubleSigner', `${who}/DUPLICATE_VOTE/${chain.height}`);
      observe('slashDoubleSigner', `${who}/LIGHT_CLIENT_ATTACK/${chain.height}`);
      break;
    case 'unjail':
      chain.block([], 3_000);
      chain.act(who, 'unjailValidator', { validatorId: who });
      break;
    case 'resign':
      if (count > 2) break;
      chain.act(who, 'resignRole', { actorId: who, role: 'VALIDATOR' });
      break;
    case 'revoke':
      if (count > 1) break;
      chain.act(OPERATOR, 'revokeAuthority', { actorId: who });
      break;
    case 'pass':
      for (let left = count; left > 0; left--) chain.block([], 400);
  }
}

const idsOf = ({ validators }: ValidatorSet): string[] =>
  validators.map(({ validatorId }) => validatorId);

/** A block states its observations. */
const observationsIn = (transitions: readonly { text: string }[]): Observation[] =>
  transitions
    .map(({ text }) => JSON.parse(text) as { kind?: unknown; subject: string })
    .flatMap(({ kind, subject }) => (isObservationKind(kind) ? [{ kind, subject }] : []));

/** Returns true if the newest block only drew this set. */
function isDrawnAlone(chain: TestChain, next: ValidatorSet): boolean {
  const { submissions = [], transitions = [] } = chain.ledger.blocks.at(-1) ?? {};
  const before = chain.ledger.validatorSetAt(chain.height);
  return (
    next.validatorSetHash !== before.validatorSetHash &&
    submissions.length === 0 &&
    observationsIn(transitions).length === 0
  );
}

/** Compares the drawn set with the present stakes. */
function expectDrawn(chain: TestChain, set: ValidatorSet): void {
  const members = new Map(
    set.validators.map(({ validatorId, votingPower }) => [validatorId, votingPower]),
  );
  assert.ok(members.size >= 1 && members.size <= MAXIMUM);
  assert.equal(set.quorum, Math.floor((2 * set.totalVotingPower) / 3) + 1);
  const least = Math.min(...members.values());
  for (const id of CANDIDATES) {
    const candidate = chain.record('validator-candidate', id);
    const power = candidate ? votingPowerOf(candidate.selfBond + candidate.delegated) : 0;
    const isOut =
      !candidate?.active ||
      candidate.faults > 0 ||
      Boolean(chain.record('validator-liveness', id)?.jailedUntil);
    if (members.has(id)) {
      assert.ok(!isOut, `${id} is drawn, and may not be`);
      assert.equal(members.get(id), power, `the power of ${id}`);
    } else if (!isOut && members.size === MAXIMUM) {
      assert.ok(power <= least, `${id} has more stake than the least member`);
    } else {
      assert.ok(isOut || power === 0, `${id} is left out, and there is room`);
    }
  }
}

/** Follows all sets from genesis; only the next change is accepted. */
function expectFollowed(chain: TestChain): number {
  const { genesis, blocks } = goldenChainOf(chain.ledger);
  const sets = new ValidatorSets(
    makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators),
  );
  const changes = blocks.flatMap((block) => (block.validatorSet ? [setChangeOf(block)] : []));
  for (const [index, change] of changes.entries()) {
    const later = changes[index + 1];
    const before = sets.newest.set;
    // A later set may equal an earlier one.
    if (later && later.header.validatorSetHash !== before.validatorSetHash) {
      assert.notEqual(sets.follow(later), null, 'a change cannot be left out');
    }
    const byFew = byTooFew(change, before.quorum);
    assert.notEqual(sets.follow(byFew), null, 'less than a quorum of the set before');
    assert.equal(sets.newest.set, before, 'what does not follow changes nothing');
    assert.equal(sets.follow(change), null);
  }
  for (const { header, certificate } of blocks.slice(1)) {
    assert.equal(sets.at(header.height).validatorSetHash, header.validatorSetHash);
    if (certificate) assert.ok(sets.verify(certificate, true).ok, `height ${header.height}`);
  }
  return changes.length;
}

/** Less than a quorum. */
function byTooFew(change: ValidatorSetChange, quorum: number): ValidatorSetChange {
  const { certificate } = change;
  const votes = [...certificate.votes];
  let power = votes.reduce((sum, { votingPower }) => sum + votingPower, 0);
  while (power >= quorum) power -= votes.pop()?.votingPower ?? power;
  return { ...change, certificate: { ...certificate, votes } as typeof certificate };
}

test('sets are drawn by stake, faults are out for good, and a client follows every change', () => {
  const met = { drawn: 0, changes: 0, jailed: 0, slashed: 0, full: 0 };
  const lives = fc.property(fc.array(anyStep, { minLength: 10, maxLength: 40 }), (steps) => {
    const chain = changingChain({ rules: { maximum: MAXIMUM } });
    chain.join(['eve', 'frank', 'grace', ...DELEGATORS], ['delegate', 'undelegate']);
    for (const id of ['eve', 'frank', 'grace']) chain.fund(id, 2_000 * NET);
    for (const id of ['eve', 'frank']) chain.install(id, 'VALIDATOR');
    for (const id of DELEGATORS) chain.fund(id, 3_000 * NET);
    chain.does('bob', 'delegate', { validatorId: 'eve', amount: 100 * NET });
    chain.does('carol', 'delegate', { validatorId: 'frank', amount: 50 * NET });
    const slashed = new Map<string, number>();
    let seen = chain.ledger.blocks.length;
    for (const step of steps) {
      play(chain, step);
      for (const { events } of chain.ledger.blocks.slice(seen)) {
        for (const { type, data } of events) {
          met.jailed += Number(type === 'ValidatorJailed');
          if (type !== 'ValidatorDoubleSigned') continue;
          const { validatorId } = data as { validatorId: string };
          slashed.set(validatorId, (slashed.get(validatorId) ?? 0) + 1);
        }
      }
      seen = chain.ledger.blocks.length;
      const next = chain.ledger.validatorSetAt(chain.height + 1);
      if (isDrawnAlone(chain, next)) {
        expectDrawn(chain, next);
        met.drawn += 1;
      }
      met.full += Number(next.validators.length === MAXIMUM);
    }
    for (const [id, times] of slashed) assert.equal(times, 1, `${id} was slashed ${times} times`);
    met.slashed += slashed.size;
    // After two terms, double signers have left, unless they are the last.
    for (let left = 9; left > 0; left--) chain.block([], 400);
    const last = idsOf(chain.ledger.validatorSetAt(chain.height + 1));
    const isLeft = (id: string): boolean =>
      chain.record('validator-candidate', id)?.faults === 0 &&
      chain.record('validator-candidate', id)?.active === true &&
      !chain.record('validator-liveness', id)?.jailedUntil;
    if (CANDIDATES.some(isLeft)) {
      assert.deepEqual(
        last.filter((id) => slashed.has(id)),
        [],
        'a double signer certifies',
      );
    }
    met.changes += expectFollowed(chain);
    const replay = new MemoryLedger(chain.ledger.genesis);
    for (const { context, submissions, transitions, stateRoot } of chain.ledger.blocks) {
      replay.execute(submissions, context, observationsIn(transitions));
      assert.equal(replay.tip.stateRoot, stateRoot);
    }
  });
  fc.assert(lives, { numRuns: runs(15), endOnFailure: true });
  fc.assert(lives, { numRuns: 8, seed: 7, endOnFailure: true });
  for (const [what, times] of Object.entries(met)) {
    assert.ok(times > 0, `no life has met this: ${what} (${JSON.stringify(met)})`);
  }
});
