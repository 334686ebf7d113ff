import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pemOfRaw, SMALL_ORDER_POINTS, testKey } from './testing/index.ts';
import { hexToBytes } from './bytes.ts';
import { MAX_TOTAL_VOTING_POWER } from './limits.ts';
import { compileSchema } from './validation.ts';
import {
  makeValidatorSet,
  quorumOf,
  ValidatorSet,
  validateValidatorSet,
  type Validator,
} from './validator-set.ts';

const validator = (validatorId: string, votingPower: number): Validator => ({
  validatorId,
  consensusPublicKey: testKey(validatorId).publicKey,
  votingPower,
  faultDomain: 'zone',
});
const make = (...validators: Validator[]): ValidatorSet =>
  makeValidatorSet('net-devnet-1', 1, validators);
const set = make(validator('cyd', 2), validator('ada', 5), validator('bob', 3));

describe('faults', () => {
  const { validators } = set;
  const faults: [string, ValidatorSet, RegExp][] = [
    ['a lower quorum', { ...set, quorum: 1 }, /do not follow/],
    ['another total', { ...set, totalVotingPower: 9 }, /do not follow/],
    ['another hash', { ...set, validatorSetHash: '00'.repeat(32) }, /do not follow/],
    ['another order', { ...set, validators: validators.toReversed() }, /do not follow/],
    ['another chain', { ...set, chainId: 'x' }, /do not follow/],
    ['an extra member', { ...set, note: 'x' } as ValidatorSet, /do not follow/],
    ['an id twice', make(...validators, validator('ada', 1)), /stands twice/],
    ['power 0', make(validator('ada', 1), validator('bob', 0)), /positive integer/],
    ['negative power', make(validator('ada', 2), validator('bob', -1)), /positive integer/],
    ['power beyond 2^53', { ...set, validators: [validator('ada', 2 ** 53)] }, /positive integer/],
    ['fractional power', { ...set, validators: [validator('ada', 1.5)] }, /positive integer/],
    [
      'power as text',
      { ...set, validators: [{ ...validator('ada', 1), votingPower: '5' as unknown as number }] },
      /positive integer/,
    ],
    [
      'a key that is none',
      make({ ...validator('ada', 1), consensusPublicKey: 'x' }),
      /not a valid/,
    ],
    [
      'a key of small order',
      make({
        ...validator('ada', 1),
        consensusPublicKey: pemOfRaw(hexToBytes(SMALL_ORDER_POINTS[1]!)),
      }),
      /not a valid/,
    ],
    [
      'a total beyond 2^50',
      make(validator('ada', MAX_TOTAL_VOTING_POWER), validator('bob', 1)),
      /too large/,
    ],
  ];
  for (const [name, document, reason] of faults) {
    test(name, () => assert.match(validateValidatorSet(document) ?? 'none', reason));
  }
});

test('quorumOf is more than two thirds, exactly', () => {
  const table = [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
    [5, 4],
    [6, 5],
    [7, 5],
    [8, 6],
    [9, 7],
    [10, 7],
    [99, 67],
    [100, 67],
    [101, 68],
  ] as const;
  for (const [total, quorum] of table) assert.equal(quorumOf(total), quorum, `${total}`);
  assert.equal(quorumOf(2 ** 50), 750_599_937_895_083);
  for (const total of [2 ** 50 - 1, 2 ** 50 - 2, 2 ** 53 - 1]) {
    const quorum = BigInt(quorumOf(total));
    assert.ok(3n * quorum > 2n * BigInt(total) && 3n * (quorum - 1n) <= 2n * BigInt(total));
  }
});

test('a set is sorted, sums up, conforms to its schema and does not depend on the order given', () => {
  assert.equal(validateValidatorSet(set), null);
  assert.equal(compileSchema(ValidatorSet)(set), null);
  assert.deepEqual(
    set.validators.map(({ validatorId }) => validatorId),
    ['ada', 'bob', 'cyd'],
  );
  assert.equal(set.totalVotingPower, 10);
  assert.equal(set.quorum, 7);
  assert.deepEqual(make(...set.validators.toReversed()), set);
  assert.equal(validateValidatorSet(make(validator('ada', MAX_TOTAL_VOTING_POWER))), null);
});
