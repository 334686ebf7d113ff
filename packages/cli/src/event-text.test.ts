import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_MEMBERS } from '@netd/ledger';
import { eventFacts, UNET_MEMBERS } from './event-text.ts';

/** Numbers in events that are no money, or units of a custom token. */
const COUNTS = [
  'cancellations',
  'decimals',
  'findings',
  'generation',
  'initialSupply',
  'round',
  'rulesVersion',
  'sequence',
  'supplyCap',
  'threshold',
  'utilityWeight',
];

test('of every number in an event it is known whether it is money', () => {
  const numbers = Object.entries<object>(EVENT_MEMBERS)
    .filter(([, schema]) => 'type' in schema && schema.type === 'integer')
    .filter(([, schema]) => !('title' in schema && schema.title === 'Height'))
    .map(([name]) => name);
  assert.deepEqual(numbers.toSorted(), [...UNET_MEMBERS, ...COUNTS].toSorted());
});

test('money is shown as NET, units of a token as they are', () => {
  const rejected = { orderId: 'o-1', refund: 25_500_000, workerId: null };
  assert.equal(
    eventFacts({ type: 'WorkOrderRejected', data: rejected }),
    'orderId=o-1 refund=25.5NET',
  );
  const minted = { amount: 5_000_000, tokenId: 'gold' };
  assert.equal(eventFacts({ type: 'TokenMinted', data: minted }), 'amount=5000000 tokenId=gold');
});
