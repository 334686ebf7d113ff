import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewed, TestChain } from '@netd/ledger/testing';
import { renderOnChain } from '../testing/render-on-chain.ts';
import { contributionDetail } from './contribution-detail.ts';

test('the builds and reviews beside a contribution equal those of its proven record', async (t) => {
  const chain = reviewed(new TestChain().join(['alice', 'bob', 'carol'], ['faucet', 'transfer']));
  const time = '2026-01-01T00:00:00.000Z';
  const document = await renderOnChain(
    t,
    chain,
    {
      schema: contributionDetail.schema,
      render: (snapshot, parameters) => {
        snapshot.timeAt = () => time;
        return contributionDetail.render(snapshot, parameters);
      },
    },
    { contributionId: 'c-1' },
  );
  const { attestations, reviews } = chain.record('contribution', 'c-1') ?? assert.fail();
  assert.deepEqual([attestations.length, reviews.length], [2, 2]);
  assert.deepEqual([document['attestations'], document['reviews']], [attestations, reviews]);
  // Times were known, so the contribution has its own.
  const { times } = document['contribution'] as { times?: object };
  assert.deepEqual(times, { submittedAt: time });
});
