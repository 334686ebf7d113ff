/** Expiry by height: reported once, moved by renewals, and effective even if the timer is late. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { beaconOf } from '@netd/protocol/testing';
import { BlockExecution, type Submission } from './block-execution.ts';
import { hasExpired } from './deadline.ts';
import type { EventType } from './events.ts';
import { accepted, verdictOf } from './testing/expectations.ts';
import { expiriesOf } from './testing/expiries.ts';
import { standardChain } from './testing/refusals/case.ts';
import { handoverOf, offerOf, readyToMove } from './testing/refusals/memory.ts';
import { OPERATOR, type TestChain } from './testing/test-chain.ts';
import { TIMER_LIMITS } from './timer-queue.ts';

const told = (chain: TestChain, type: EventType): { height: number; data: JsonObject }[] =>
  chain.ledger.blocks.flatMap(({ context: { height }, events }) =>
    events
      .filter((event) => event.type === type)
      .map(({ data }) => ({ height, data: data as JsonObject })),
  );

function until(chain: TestChain, height: number): void {
  while (chain.height < height) chain.block([]);
  const { waiting, expected } = expiriesOf(chain.ledger);
  assert.deepEqual(waiting, expected);
}

test('expiry takes effect in the block after the last height', () => {
  assert.deepEqual(
    [9, 10, 11].map((height) => hasExpired(10, height)),
    [false, false, true],
  );
});

describe('a beacon', () => {
  const publish = (chain: TestChain, sequence: number, expiresAtHeight: number): TestChain =>
    chain.does(
      'alice',
      'publishBeacon',
      beaconOf('alice', chain.height, { sequence, expiresAtHeight }),
    );
  test('expires once, in the block after its last height, and can be renewed then', () => {
    const chain = standardChain();
    const last = chain.height + 3;
    publish(chain, 4, last);
    until(chain, last);
    assert.deepEqual(told(chain, 'BeaconExpired'), []);
    until(chain, last + 4);
    const data = { agentId: 'alice', sequence: 4 };
    assert.deepEqual(told(chain, 'BeaconExpired'), [{ height: last + 1, data }]);
    publish(chain, 5, chain.height + 2);
    until(chain, chain.height + 4);
    assert.equal(told(chain, 'BeaconExpired').length, 2);
  });
  test('that is renewed expires at its new height alone, sooner or later', () => {
    for (const distance of [2, 9]) {
      const chain = standardChain();
      publish(chain, 1, chain.height + 5);
      const last = chain.height + distance;
      publish(chain, 2, last);
      until(chain, chain.height + 12);
      const data = { agentId: 'alice', sequence: 2 };
      assert.deepEqual(told(chain, 'BeaconExpired'), [{ height: last + 1, data }]);
    }
  });
  test('that is withdrawn does not expire', () => {
    const chain = standardChain();
    publish(chain, 1, chain.height + 3).does('alice', 'withdrawBeacon', { agentId: 'alice' });
    until(chain, chain.height + 5);
    assert.deepEqual(told(chain, 'BeaconExpired'), []);
  });
});

describe('a runtime offer', () => {
  test('expires at the height of its renewal, and its runtime stays its own', () => {
    const chain = readyToMove(standardChain());
    const offer = (distance: number): TestChain =>
      chain.does(
        'provider',
        'registerRuntimeOffer',
        offerOf(chain, 'provider', 'r', { expiresAtHeight: chain.height + distance }),
      );
    offer(2);
    offer(6);
    const last = chain.height + 5;
    until(chain, last);
    assert.deepEqual(told(chain, 'RuntimeOfferExpired'), []);
    until(chain, last + 3);
    const data = { actorId: 'provider', runtimeId: 'r' };
    assert.deepEqual(told(chain, 'RuntimeOfferExpired'), [{ height: last + 1, data }]);
    const late = handoverOf(chain, 'alice', 'h', { targetRuntimeId: 'r' });
    const outcome = chain.act('alice', 'prepareMemoryHandover', late);
    assert.equal(verdictOf(outcome), 'RUNTIME_OFFER_UNAVAILABLE');
  });
});

describe('capabilities', () => {
  const human = (
    chain: TestChain,
    ends: readonly (number | null)[],
    members: JsonObject = {},
  ): TestChain =>
    chain.install('hugo', 'HUMAN', {
      capabilities: ['faucet', 'transfer', 'createToken']
        .slice(0, ends.length)
        .map((action, i) => ({
          action,
          maxAmount: 1_000,
          ...(ends[i] === null ? {} : { expiresAtHeight: ends[i] ?? 0 }),
        })),
      ...members,
    });
  test('that end together are reported together, others later, those without an end never', () => {
    const chain = standardChain();
    const soon = chain.height + 5;
    human(chain, [soon, soon, null]);
    until(chain, soon + 3);
    const held = chain.record('authority', 'hugo')?.capabilities ?? [];
    const data = { actorId: 'hugo', capabilities: held.slice(0, 2) };
    assert.deepEqual(told(chain, 'CapabilitiesExpired'), [{ height: soon + 1, data }]);
    const apart = standardChain();
    human(apart, [soon, soon + 2]);
    until(apart, soon + 5);
    assert.deepEqual(
      told(apart, 'CapabilitiesExpired').map(({ height }) => height),
      [soon + 1, soon + 3],
    );
  });
  test('are refused the same way before and after the timer has run', () => {
    const chain = standardChain();
    const last = chain.height + 5;
    human(chain, [last, null]);
    until(chain, last - 1);
    accepted(chain.act('hugo', 'faucet', { amount: 1 }));
    assert.equal(chain.height, last);
    // A simulation skips due transitions; a block does not.
    const { ledger } = chain;
    const rehearsal = new BlockExecution(ledger, ledger.nextContext(), ledger.tip, { due: 'skip' });
    const tried = rehearsal.tryAction('hugo', 'faucet', { amount: 1 });
    assert.equal(verdictOf(tried), 'CAPABILITY_EXPIRED');
    const late = chain.act('hugo', 'faucet', { amount: 1 });
    assert.equal(verdictOf(late), 'CAPABILITY_EXPIRED');
    assert.equal(verdictOf(chain.act('hugo', 'faucet', { amount: 1 })), 'CAPABILITY_EXPIRED');
  });
  test('lose expired entries at a renewal, and keep the timers of the rest', () => {
    const chain = standardChain();
    const last = chain.height + 4;
    human(chain, [last]);
    until(chain, last + 1);
    human(chain, [chain.height + 6], { applicationId: 'again' });
    assert.equal(chain.record('authority', 'hugo')?.capabilities.length, 1);
    until(chain, chain.height + 6);
    assert.equal(told(chain, 'CapabilitiesExpired').length, 2);
  });
  test('of the revoked, and of a role that is resigned, expire no more', () => {
    const chain = standardChain();
    const last = chain.height + 12;
    human(chain, [last]).does(OPERATOR, 'revokeAuthority', { actorId: 'hugo' });
    chain.install('alice', 'AUDITOR', {
      capabilities: [{ action: 'submitAuditFinding', expiresAtHeight: last }],
    });
    chain.does('alice', 'resignRole', { actorId: 'alice', role: 'AUDITOR' });
    assert.ok(chain.height < last);
    until(chain, last + 2);
    assert.deepEqual(told(chain, 'CapabilitiesExpired'), []);
  });
});

test('in a flood, an expired agent may not act before its timer, may renew, and gets its event', () => {
  const limit = TIMER_LIMITS.expireCapabilities;
  const names = Array.from({ length: limit + 1 }, (_, i) => `hugo-${String(i).padStart(3, '0')}`);
  /** Its timer does not run in the first block. */
  const last = names.at(-1) ?? '';
  const chain = standardChain();
  const applied = (actorId: string, expiresAtHeight: number): Submission[] => {
    const application = chain.application(actorId, 'HUMAN', {
      applicationId: chain.freshNonce(),
      capabilities: [{ action: 'faucet', maxAmount: 9, expiresAtHeight }],
    });
    // Approved at once, so its own hash names the invitation.
    return [application, chain.claim(actorId, application.encoded.transitionHash)];
  };
  const end = chain.height + 10;
  chain.block(names.flatMap((name) => applied(name, end))).forEach(accepted);
  chain.ledger.advance(end - chain.height);

  const attempt = (): Submission => chain.intent(last, 'faucet', { amount: 1 });
  const outcomes = chain.block([attempt(), ...applied(last, chain.height + 5), attempt()]);
  assert.deepEqual(outcomes.map(verdictOf), [
    'CAPABILITY_EXPIRED',
    'accepted',
    'accepted',
    'accepted',
  ]);
  const events = (): unknown[] =>
    told(chain, 'CapabilitiesExpired').map(({ data }) => data['actorId']);
  assert.deepEqual(events(), names.slice(0, limit));
  const [old, fresh] = chain.record('authority', last)?.capabilities ?? [];
  assert.deepEqual([old?.expiresAtHeight, fresh?.expiresAtHeight], [end, end + 5]);
  chain.block([]);
  assert.deepEqual(told(chain, 'CapabilitiesExpired').at(-1)?.data, {
    actorId: last,
    capabilities: [old],
  });
  until(chain, end + 6);
  assert.deepEqual(events(), [...names, last]);
});
