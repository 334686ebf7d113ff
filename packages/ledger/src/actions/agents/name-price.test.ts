import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNET_PER_NET, zeroBits } from '@netd/protocol';
import { testKey, workOrderOf } from '@netd/protocol/testing';
import { accepted, verdictOf } from '../../testing/index.ts';
import { withRules } from '../../testing/rules.ts';
import { OPERATOR, TestChain } from '../../testing/test-chain.ts';
import { seedMoney } from '../../testing/work.ts';
import { MAX_UNPAID_OPEN_ORDERS } from '../work/order.ts';

const BITS = 6;
const PRICE = { names: { price: 'work', workBits: BITS } } as const;

const priced = (): TestChain =>
  new TestChain({ policy: PRICE, genesis: (genesis) => ({ ...genesis, rules: 2 }) });

/** @param enough false for a registration without the work */
function registration(chain: TestChain, actorId: string, enough = true) {
  for (let tried = 0; ; tried++) {
    const made = chain.registration(actorId, { nonce: `n-${tried}` });
    if (zeroBits(made.encoded.signedBytes) >= BITS === enough) return made;
  }
}

test('a name costs a proof of work over the signed bytes, unless an operator holds it', () => {
  const chain = priced();
  const { ok, ...lazy } = chain.submit(registration(chain, 'ada', false));
  assert.ok(!ok && 'refusal' in lazy);
  assert.match(lazy.refusal.data.message ?? '', /begins with [0-5] zero bits, and a name costs 6/);
  accepted(chain.submit(registration(chain, 'ada')));
  assert.equal(chain.record('agent', 'ada')?.workBits, BITS);
  const { publicKeyHash } = testKey('hugo');
  chain.does(OPERATOR, 'reserveName', { actorId: 'hugo', publicKeyHash });
  accepted(chain.submit(registration(chain, 'hugo', false)));
  assert.equal(chain.record('agent', 'hugo')?.workBits, 0);
});

test('free names leave no trace of a price', () => {
  const chain = new TestChain({ genesis: (genesis) => ({ ...genesis, rules: 2 }) }).join(['ada']);
  assert.ok(!('workBits' in chain.record('agent', 'ada')!));
});

test('names from before the price draw nothing first, and have few open orders', () => {
  const chain = withRules(new TestChain()).join(['old'], ['faucet', 'createWorkOrder']);
  chain.ledger.seed('policy', 'limits', { ...chain.record('policy', 'limits')!, ...PRICE });
  accepted(chain.submit(registration(chain, 'new')));
  chain.does('new', 'extendAgentCapabilities', { agentId: 'new', actions: ['faucet'] });
  chain.does('new', 'faucet', { amount: 1 });
  const refusal = chain.act('old', 'faucet', { amount: 1 });
  assert.ok(!refusal.ok);
  assert.match(refusal.refusal.data.message ?? '', /^0 unet .* did not pay for its name/);
  seedMoney(chain, 'old', 1_000 * UNET_PER_NET);
  const offered = (i: number): string =>
    verdictOf(chain.act('old', 'createWorkOrder', workOrderOf(`o-${i}`, { jury: 'none' })));
  for (let i = 0; i < MAX_UNPAID_OPEN_ORDERS; i++) assert.equal(offered(i), 'accepted');
  assert.equal(offered(99), 'WORK_ORDER_LIMIT');
});
