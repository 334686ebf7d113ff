/** A member is an amount if its schema says so, in every action of the contract. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isUnet } from '@netd/protocol';
import { inUnet } from './amount.ts';

interface Described {
  name: string;
  payload: { properties: Record<string, { type?: string; title?: string; description?: string }> };
}
const { actions } = JSON.parse(
  readFileSync(new URL('../../../contract/actions.json', import.meta.url), 'utf8'),
) as { actions: Described[] };

test('converts a text to unet only if the schema of the member is an amount', () => {
  const found = actions.flatMap(({ name, payload }) =>
    Object.entries(payload.properties).flatMap(([member, schema]) => {
      const given = { [member]: '1 NET', other: '1 NET' };
      const wanted = isUnet(schema) ? { ...given, [member]: 1_000_000 } : given;
      assert.deepEqual(inUnet(name, given), wanted, `${name}.${member}`);
      return isUnet(schema) ? [`${name}.${member}`] : [];
    }),
  );
  for (const one of ['faucet.amount', 'createWorkOrder.funding', 'grantSession.budget']) {
    assert.ok(found.includes(one), one);
  }
  assert.ok(!found.includes('mintToken.amount'), 'units of a token');
});

test('amounts inside of lists are found, and whole numbers stay what they are', () => {
  const capability = { action: 'faucet', maxAmount: '5 NET' };
  assert.deepEqual(inUnet('createOperatorInvitation', { capabilities: [capability, {}, 'x'] }), {
    capabilities: [{ ...capability, maxAmount: 5_000_000 }, {}, 'x'],
  });
  for (const amount of [0, -1, null, true]) {
    assert.deepEqual(inUnet('faucet', { amount }), { amount }, 'it is for the chain to judge');
  }
  assert.throws(() => inUnet('faucet', { amount: 1.5 }), { path: '/amount' });
  assert.throws(() => inUnet('createOperatorInvitation', { capabilities: [{ maxAmount: '5' }] }), {
    code: 'AMOUNT_INVALID',
    path: '/capabilities/0/maxAmount',
  });
});
