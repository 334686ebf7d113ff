import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../chain/api-error.ts';
import { ProofPlaces } from './proof-places.ts';

test('an address has two proofs waiting, the node four, and each end makes room', () => {
  const places = new ProofPlaces();
  const refuses = (address: string): void =>
    assert.throws(
      () => places.take(address),
      (error) =>
        error instanceof ApiError && error.code === 'OVERLOADED' && error.data.retryAfter === 1,
    );
  const leave = places.take('a');
  places.take('a');
  refuses('a');
  places.take('b');
  places.take('b');
  refuses('c');
  leave();
  refuses('b');
  places.take('c');
  refuses('a');
});
