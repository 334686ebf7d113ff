/** Drawing and observing a changing validator set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNET_PER_NET, genesisHash } from '@netd/protocol';
import { validateGenesis } from './genesis.ts';
import { genesisCandidate } from './readiness.ts';
import { StateOverlay } from './state.ts';
import { accepted } from './testing/expectations.ts';
import { OPERATOR, TestChain } from './testing/test-chain.ts';
import { changingChain, founder, FOUNDERS, jail, nextTerm, setOf } from './testing/validators.ts';

const NET = UNET_PER_NET;

function withEve(chain = changingChain(), bond = 1_000): TestChain {
  chain.join(['eve']).fund('eve', 5_000 * NET);
  return chain.install('eve', 'VALIDATOR', {
    profile: { ...profile(chain), selfBond: bond * NET },
  });
}

const profile = (chain: TestChain) =>
  (chain.application('eve', 'VALIDATOR').envelope as { profile: object }).profile;

test('a candidate certifies from the next term on, with a vote for each NET', () => {
  const chain = withEve();
  assert.deepEqual(setOf(chain), [...FOUNDERS], 'bonded, and not drawn yet');
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['eve', ...FOUNDERS]);
  const set = chain.ledger.validatorSetAt(chain.height + 1);
  assert.equal(set.totalVotingPower, 5_000);
  const { header } = chain.ledger.blocks.at(-1)!;
  assert.notEqual(header.validatorSetHash, set.validatorSetHash, 'drawn by a block of the old set');
  chain.block([]);
  assert.equal(chain.ledger.blocks.at(-1)!.header.validatorSetHash, set.validatorSetHash);
});

test('stake is power, and the most of it is drawn', () => {
  const chain = withEve(changingChain({ rules: { maximum: 4 } }), 1_500);
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['eve', 'val-a', 'val-b', 'val-c'], 'the last bonded is out');
  chain.join(['bob'], ['delegate', 'undelegate']).fund('bob', 2_000 * NET);
  chain.does('bob', 'delegate', { validatorId: 'val-d', amount: 700 * NET + 1 });
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['eve', 'val-a', 'val-b', 'val-d']);
  const power = () =>
    chain.ledger
      .validatorSetAt(chain.height + 1)
      .validators.find(({ validatorId }) => validatorId === 'val-d')?.votingPower;
  assert.equal(power(), 1_700);
  chain.does('bob', 'undelegate', { validatorId: 'val-d', amount: 100 * NET });
  nextTerm(chain);
  assert.equal(power(), 1_600);
});

test('a set of every height stays known', () => {
  const chain = changingChain();
  chain.join(['bob'], ['delegate']).fund('bob', 2_000 * NET);
  const sets = new Map<number, string>();
  for (let i = 0; i < 9; i++) {
    chain.does('bob', 'delegate', { validatorId: 'val-b', amount: NET });
    nextTerm(chain);
  }
  for (const { header } of chain.ledger.blocks) sets.set(header.height, header.validatorSetHash);
  assert.ok(new Set(sets.values()).size > 8);
  for (const [height, hash] of sets) {
    assert.equal(chain.ledger.validatorSetAt(height).validatorSetHash, hash, `height ${height}`);
  }
});

test('a resigned or revoked validator leaves, unless it is the last one', () => {
  const chain = changingChain();
  chain.does('val-a', 'resignRole', { actorId: 'val-a', role: 'VALIDATOR' });
  chain.does(OPERATOR, 'revokeAuthority', { actorId: 'val-b' });
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['val-c', 'val-d']);
  for (const id of ['val-c', 'val-d']) {
    chain.does(id, 'resignRole', { actorId: id, role: 'VALIDATOR' });
  }
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['val-c', 'val-d'], 'a chain without validators would end');
  chain.ledger.advance(0, 60_000);
  nextTerm(chain);
  assert.equal(chain.record('account', 'val-c')?.balance, 1_000 * NET, 'the bond is back');
});

test('a validator that misses too many blocks of a window is jailed, and returns only by its own action', () => {
  const chain = changingChain();
  const miss = (subject: string) => chain.block([], 100, [{ kind: 'missBlock', subject }]);
  miss('val-a');
  miss('val-a');
  const { windowFrom } = chain.record('validator-liveness', 'val-a')!;
  while (chain.height + 1 < windowFrom + 6) chain.block([]);
  miss('val-a');
  assert.equal(chain.record('validator-liveness', 'val-a')?.missed, 1, 'a new window');
  jail(chain, 'val-a');
  assert.deepEqual(
    chain.ledger.blocks.at(-1)!.events.map(({ type }) => type),
    ['ValidatorJailed'],
  );
  assert.throws(() => miss('val-a'), /not observable/, 'it is jailed already');
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['val-b', 'val-c', 'val-d']);
  nextTerm(chain);
  assert.deepEqual(setOf(chain), ['val-b', 'val-c', 'val-d'], 'nothing brings it back');
  chain.block([], 2_000);
  chain.does('val-a', 'unjailValidator', { validatorId: 'val-a' });
  nextTerm(chain);
  assert.deepEqual(setOf(chain), [...FOUNDERS]);
});

test('a double signer is slashed once and excluded for good', () => {
  const chain = withEve();
  chain.join(['bob'], ['delegate']).fund('bob', 100 * NET);
  chain.does('bob', 'delegate', { validatorId: 'eve', amount: 100 * NET });
  nextTerm(chain);
  const told = (subject: string) => chain.block([], 100, [{ kind: 'slashDoubleSigner', subject }]);
  told('eve/DUPLICATE_VOTE/12');
  const candidate = chain.record('validator-candidate', 'eve');
  assert.deepEqual([candidate?.selfBond, candidate?.delegated], [900 * NET, 90 * NET]);
  for (const again of ['eve/DUPLICATE_VOTE/12', 'eve/LIGHT_CLIENT_ATTACK/13']) {
    assert.throws(() => told(again), /not observable/);
  }
  assert.throws(() => told('eve'), /not observable/);
  assert.throws(() => told('bob/DUPLICATE_VOTE/12'), /not observable/, 'no candidate');
  nextTerm(chain);
  assert.deepEqual(setOf(chain), [...FOUNDERS]);
});

test('a chain with a fixed set has no terms and observes nothing', () => {
  const chain = new TestChain();
  assert.deepEqual(setOf(chain), ['validator-1']);
  for (const kind of ['missBlock', 'slashDoubleSigner'] as const) {
    const subject = kind === 'missBlock' ? 'validator-1' : 'validator-1/DUPLICATE_VOTE/1';
    assert.throws(() => chain.block([], 100, [{ kind, subject }]), /not observable/);
  }
});

test('observations of the engine precede the envelopes', () => {
  const execution = changingChain().ledger.open();
  const chain = changingChain();
  assert.ok(execution.observe({ kind: 'missBlock', subject: 'val-a' }));
  assert.equal(execution.observe({ kind: 'missBlock', subject: 'val-a' }), false, 'once a block');
  accepted(execution.execute(chain.registration('bob')));
  assert.throws(() => execution.observe({ kind: 'missBlock', subject: 'val-b' }), /before/);
});

test('a genesis with a changing set is validated', () => {
  const { genesis } = changingChain().ledger;
  assert.equal(validateGenesis(genesis), null);
  const { owners, policy, ...rest } = genesis;
  const { validatorSet, ...fixed } = policy;
  assert.match(validateGenesis({ ...rest, policy }) ?? '', /go together/);
  assert.match(validateGenesis({ ...genesis, policy: fixed }) ?? '', /go together/);
  assert.match(
    validateGenesis({ ...genesis, owners: owners?.slice(1) }) ?? '',
    /each validator once/,
  );
  const stranger = owners!.map((owner) => ({ ...owner, validatorId: `${owner.validatorId}x` }));
  assert.match(validateGenesis({ ...genesis, owners: stranger }) ?? '', /each validator once/);
  const few = { ...policy, validatorSet: { ...validatorSet!, maximum: 3 } };
  assert.match(validateGenesis({ ...genesis, policy: few }) ?? '', /maximum/);
  const shared = owners!.map((owner) => ({ ...owner, publicKey: owners![0]!.publicKey }));
  assert.match(validateGenesis({ ...genesis, owners: shared }) ?? '', /share a key/);
  const validators = genesis.validators.map((each) => ({ ...each, votingPower: 1_001 }));
  assert.match(validateGenesis({ ...genesis, validators }) ?? '', /net:bonds holds/);
});

test('the genesis that follows has bonds and owners of its own', () => {
  const chain = changingChain({ founders: [founder('val-a', 3_000 * NET), founder('val-b')] });
  const candidate = genesisCandidate(new StateOverlay(chain.ledger), chain.height + 1)!;
  assert.equal(validateGenesis(candidate.genesis), null);
  assert.deepEqual(
    candidate.genesis.validators.map(({ votingPower }) => votingPower),
    [1_000, 1_000],
    'the same least bond for all: what moves would change what governance votes on',
  );
  assert.equal(candidate.genesisHash, genesisHash(candidate.genesis));
});
