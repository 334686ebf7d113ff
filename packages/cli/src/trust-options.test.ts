import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeValidatorSet } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { trustedBlock, trustedValidators } from './trust-options.ts';

const HASH = 'ab'.repeat(32);

test('a trusted block is a height and a hash', () => {
  assert.deepEqual(trustedBlock(`7:${HASH}`), { height: 7, blockHash: HASH });
  for (const wrong of [HASH, `:${HASH}`, `-1:${HASH}`, `7:${HASH}0`, `7:${HASH.toUpperCase()}`]) {
    assert.throws(() => trustedBlock(wrong), /A height, a colon/, wrong);
  }
});

test('trusted validators are a hash, or a document that hashes to it', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'netd-trust-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'validators.json');
  assert.equal(trustedValidators(HASH), HASH);
  assert.throws(() => trustedValidators(file), /A file with a NET-VALIDATOR-SET\/1/);
  writeFileSync(file, '{');
  assert.throws(() => trustedValidators(file), /cannot be read as JSON/);
  writeFileSync(file, '{}');
  assert.throws(() => trustedValidators(file), /holds no NET-VALIDATOR-SET\/1/);
  const set = makeValidatorSet('net-x', 1, [
    {
      validatorId: 'validator-1',
      consensusPublicKey: testKey('validator').publicKey,
      votingPower: 1,
      faultDomain: 'one',
    },
  ]);
  writeFileSync(file, JSON.stringify(set));
  assert.equal(trustedValidators(file), set.validatorSetHash);
  writeFileSync(file, JSON.stringify({ ...set, validatorSetHash: HASH }));
  assert.throws(() => trustedValidators(file), /do not hash to its validatorSetHash/);
});
