/** Uses the golden chain with a changing validator set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOLDEN_PLAYS } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { deadlineView } from '../shared/deadline.ts';
import { renderOnChain } from '../testing/render-on-chain.ts';
import { validatorDetail } from './validator-registry.ts';

test('a validator shows its double signings and missed blocks', async (t) => {
  const chain = GOLDEN_PLAYS.validators();
  const detailOf = (validatorId: string) =>
    renderOnChain(t, chain, validatorDetail, { validatorId });
  const eve = await detailOf('eve');
  const { doubleSigning, faults, liveness } = eve;
  const { slashedAt, slashedBond, slashedStake } = chain.record('double-signing', 'eve') ?? {};
  assert.deepEqual(doubleSigning, {
    kind: 'DUPLICATE_VOTE',
    engineHeight: 17,
    slashedAt,
    slashedBond,
    slashedStake,
  });
  assert.deepEqual([faults, liveness], [[], null]);

  const back = await detailOf('val-c');
  assert.equal(back['doubleSigning'], null);
  const known = chain.record('validator-liveness', 'val-c');
  assert.equal(known?.jailings, 1);
  const { validatorId: _, ...shown } = known;
  assert.deepEqual(back['liveness'], { ...shown, jailedUntil: null });

  const until = () => chain.record('validator-liveness', 'val-b')?.jailedUntil;
  while (!until()) chain.block([], 100, [{ kind: 'missBlock', subject: 'val-b' }]);
  const { liveness: jailed } = await detailOf('val-b');
  assert.deepEqual((jailed as JsonObject)['jailedUntil'], deadlineView(until()!));
});
