import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalize, type ErrorCode, type JsonObject } from '@netd/protocol';
import type { AccountRecord } from '../actions/accounts/records.ts';
import type { Submission } from '../block-execution.ts';
import { DEVNET_POLICY } from '../genesis.ts';
import { RuleError } from '../rule-error.ts';
import type { EventData } from '../event-data.ts';
import {
  requireDeclaredEvents,
  requireDeclaredRefusal,
  requireDeclaredSpending,
} from './declared.ts';

type Sent = Pick<Submission, 'kind' | 'envelope'>;

const intent = (action: string, payload: JsonObject = {}): Sent => ({
  kind: 'intent',
  envelope: { actorId: 'alice', action, payload },
});

describe('a refusal', () => {
  const refuse = (sent: Sent, code: ErrorCode) => () =>
    requireDeclaredRefusal(sent, { ok: false, refusal: new RuleError(code) });

  test('is among those of the action, or of whatever asks for one', () => {
    for (const code of ['INSUFFICIENT_BALANCE', 'NONCE_REPLAYED', 'ROLE_MISSING'] as const) {
      refuse(intent('transfer'), code)();
    }
    refuse(intent('no-such-action'), 'ACTION_UNKNOWN')();
  });
  test('that nothing declares is an error', () => {
    const foreign = 'BEACON_NOT_FOUND';
    assert.throws(refuse(intent('transfer'), foreign), /^Error: transfer refused with BEACON_NOT/);
    assert.throws(
      refuse({ kind: 'claim', envelope: {} }, foreign),
      /^Error: InvitationClaim refused with BEACON_NOT/,
    );
  });
});

const DATA = {
  Transferred: { fromActorId: 'alice', toActorId: 'bob', amount: 1, memo: null },
  SessionEnded: { agentId: 'alice', sessionId: 's-1', reason: 'EXPIRED', spent: 0 },
} satisfies { Transferred: EventData<'Transferred'>; SessionEnded: EventData<'SessionEnded'> };

describe('an event', () => {
  const systemText = canonicalize({ kind: 'expireSession' });
  const block = (
    type: keyof typeof DATA,
    transitionIndex: number,
    data: Record<string, unknown> = DATA[type],
  ) => ({
    transitions: [systemText, ''].map((text) => ({ hash: '', text })),
    events: [{ type, transitionIndex, data }],
  });
  test('holds its members, of their types, and no other', () => {
    for (const data of [
      {},
      { ...DATA.Transferred, ammount: 1 },
      { ...DATA.Transferred, amount: '1' },
      { ...DATA.Transferred, toActorId: null },
    ]) {
      assert.throws(
        () => requireDeclaredEvents(block('Transferred', 1, data), [intent('transfer')]),
        /^Error: transfer emitted Transferred: /,
      );
    }
    const memo = { ...DATA.Transferred, memo: 'thanks' };
    requireDeclaredEvents(block('Transferred', 1, memo), [intent('transfer')]);
  });

  test('is among those of its transition', () => {
    requireDeclaredEvents(block('SessionEnded', 0), [intent('transfer')]);
    requireDeclaredEvents(block('Transferred', 1), [intent('transfer')]);
  });
  test('that nothing declares is an error', () => {
    assert.throws(
      () => requireDeclaredEvents(block('Transferred', 0), [intent('transfer')]),
      /^Error: expireSession emitted Transferred/,
    );
    assert.throws(
      () => requireDeclaredEvents(block('SessionEnded', 1), [intent('transfer')]),
      /^Error: transfer emitted SessionEnded/,
    );
  });
});

describe('spending of an account', () => {
  const account = (accountId: string, balance: number): AccountRecord => ({
    accountId,
    balance,
    faucetReceived: 0,
  });
  const leave = (accountId: string, amount: number, accepted: readonly Sent[]) => () => {
    const changes = new Map([
      [`account/${accountId}`, canonicalize(account(accountId, 100 - amount))],
    ]);
    const before = (): AccountRecord => account(accountId, 100);
    requireDeclaredSpending({ changes }, accepted, DEVNET_POLICY, before);
  };
  const transfer = intent('transfer', { amount: 6 });

  test('is the sum of what its own actions declare', () => {
    leave('alice', 6, [transfer])();
    leave('alice', 12, [transfer, transfer])();
    leave('alice', -6, [])();
    leave('net:escrow', 6, [])();
    leave('alice', 60, [{ kind: 'claim', envelope: { actorId: 'alice' } }])();
  });
  test('without that is an error', () => {
    const undeclared = /unet left account/;
    assert.throws(
      leave('alice', 7, [transfer]),
      /7 unet left account\/alice, 6 of them .*transfer/,
    );
    assert.throws(leave('bob', 1, [transfer]), /0 of them as spends: nothing of its own/);
    assert.throws(leave('alice', 1, [intent('faucet', { amount: 5 })]), undeclared);
    assert.throws(leave('alice', 1, [intent('withdrawBeacon')]), undeclared);
  });
});
