import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventFacts } from './event-text.ts';

test('money is shown as NET, units of a token as they are', () => {
  const rejected = { orderId: 'o-1', refund: 25_500_000, workerId: null };
  assert.equal(
    eventFacts({ type: 'WorkOrderRejected', data: rejected }),
    'orderId=o-1 refund=25.5NET',
  );
  const minted = { amount: 5_000_000, tokenId: 'gold' };
  assert.equal(eventFacts({ type: 'TokenMinted', data: minted }), 'amount=5000000 tokenId=gold');
});
