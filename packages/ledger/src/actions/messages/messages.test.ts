import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashValue, type JsonObject } from '@netd/protocol';
import { COLLECTIONS } from '../../collections.ts';
import { accepted, refused, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { acknowledgementOf, messageOf } from '../../testing/refusals/messages.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import { TIMER_LIMITS } from '../../timer-queue.ts';
import { conversationKey } from './message.ts';

const uriOf = (length: number): string => 'https://a.example/'.padEnd(length, 'x');

/** Valid and invalid values, by member. */
const LIMITS: Record<string, { fits: unknown[]; breaks: unknown[] }> = {
  schema: { fits: [], breaks: ['NET-AGENT-MESSAGE/2', '', null] },
  messageId: {
    fits: ['a', 'a'.repeat(128), 'A.b_c:d-e'],
    breaks: ['', 'a'.repeat(129), '-a', 'a b', 'a\n', 1, null],
  },
  conversationId: {
    fits: ['a', 'a'.repeat(128)],
    breaks: ['', 'a'.repeat(129), ':a', 'ä', null],
  },
  sequence: { fits: [1], breaks: [0, -1, 1.5, '1', null] },
  kind: { fits: ['REQUEST', 'RESPONSE', 'EVENT'], breaks: ['request', 'NOTE', '', null] },
  contentEncoding: { fits: [], breaks: ['application/json', '', null] },
  contentHash: {
    fits: ['0123456789abcdef'.repeat(4)],
    breaks: ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(64)}\n`, null],
  },
  envelopeUri: {
    fits: ['https://a.example', uriOf(511), uriOf(512)],
    breaks: [
      uriOf(513),
      'http://a.example',
      'https://u@a.example/',
      'https://a.example/#b',
      '',
      null,
    ],
  },
  replyTo: { fits: [], breaks: ['', 'a'.repeat(129), null] },
  toAgentId: { fits: ['bob'], breaks: ['b', 'b'.repeat(65), '-b', null] },
  expiresAtHeight: { fits: [], breaks: [-1, 1.5, '10', null] },
};

const send = (chain: TestChain, from: string, to: string, members: JsonObject = {}): JsonObject => {
  const conversationId = (members['conversationId'] as string | undefined) ?? 'c-1';
  const last = chain.record('conversation', conversationKey(conversationId, from));
  const message = messageOf(chain, from, to, {
    sequence: (last?.lastSequence ?? 0) + 1,
    ...members,
  });
  chain.does(from, 'sendAgentMessage', message);
  return message;
};

describe('sendAgentMessage takes', () => {
  for (const [member, { fits, breaks }] of Object.entries(LIMITS)) {
    test(`a ${member} within its limits and none outside`, () => {
      const chain = standardChain();
      for (const value of breaks) {
        const message = messageOf(chain, 'alice', 'bob', { [member]: value } as JsonObject);
        refused(chain, chain.intent('alice', 'sendAgentMessage', message), 'PAYLOAD_INVALID');
      }
      for (const [i, value] of fits.entries()) {
        const conversationId = `limits-${i}`;
        const members = { conversationId, [member]: value } as JsonObject;
        const message = messageOf(chain, 'alice', 'bob', members);
        const verdict = verdictOf(chain.act('alice', 'sendAgentMessage', message));
        assert.equal(verdict, 'accepted', String(value));
      }
    });
  }
  test('no further members, and needs all its own but envelopeUri and replyTo', () => {
    const chain = standardChain();
    const message = messageOf(chain, 'alice', 'bob');
    const odd = { ...message, body: 'hello' };
    refused(chain, chain.intent('alice', 'sendAgentMessage', odd), 'PAYLOAD_INVALID');
    for (const member of Object.keys(message)) {
      const { [member]: _, ...rest } = message;
      refused(chain, chain.intent('alice', 'sendAgentMessage', rest), 'PAYLOAD_INVALID');
    }
  });
  test('an expiry from current + 1 to current + 5,000', () => {
    const chain = standardChain();
    const at = (distance: number, sequence: number): string => {
      const members = { expiresAtHeight: chain.height + distance, sequence };
      const message = messageOf(chain, 'alice', 'bob', members);
      return verdictOf(chain.act('alice', 'sendAgentMessage', message));
    };
    assert.equal(at(0, 1), 'MESSAGE_EXPIRED');
    assert.equal(at(1, 1), 'accepted');
    assert.equal(at(4_999, 2), 'accepted');
    assert.equal(at(5_000, 3), 'accepted');
    assert.equal(at(5_001, 4), 'MESSAGE_EXPIRY_TOO_FAR');
  });
  test('a thousandth live message, and another one when one has ended', () => {
    const chain = standardChain();
    send(chain, 'alice', 'bob', { messageId: 'first' });
    chain.ledger.seed('live-messages', 'alice', 999);
    send(chain, 'alice', 'bob');
    const next = (): JsonObject => messageOf(chain, 'alice', 'bob', { sequence: 3 });
    const full = chain.intent('alice', 'sendAgentMessage', next());
    refused(chain, full, 'MESSAGE_LIMIT_REACHED');
    chain.does('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'first'));
    accepted(chain.act('alice', 'sendAgentMessage', next()));
  });
});

describe('acknowledgeAgentMessage', () => {
  test('keeps to its limits', () => {
    const chain = standardChain();
    send(chain, 'alice', 'bob', { messageId: 'm' });
    const honest = acknowledgementOf('bob', 'm');
    for (const members of [
      { status: 'PENDING' },
      { status: 'delivered' },
      { messageId: 'a'.repeat(129) },
      { receiptHash: 'a'.repeat(63) },
      { receiptHash: 'A'.repeat(64) },
      { note: '' },
    ]) {
      const intent = chain.intent('bob', 'acknowledgeAgentMessage', { ...honest, ...members });
      refused(chain, intent, 'PAYLOAD_INVALID');
    }
  });
  test('is possible up to the last height of the message', () => {
    const chain = standardChain();
    send(chain, 'alice', 'bob', { messageId: 'm', expiresAtHeight: chain.height + 10 });
    chain.ledger.advance(8);
    accepted(chain.act('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm')));
  });
});

describe('a message', () => {
  test('goes from PENDING to DELIVERED, is listed, and leaves its digest', () => {
    const chain = standardChain();
    const message = send(chain, 'alice', 'bob', { messageId: 'm' });
    const sentAt = { height: chain.height, index: 0 };
    const pending = chain.record('message', 'm')!;
    assert.deepEqual(pending.message, message);
    assert.deepEqual(
      [pending.status, pending.sentAt, pending.endedAtHeight],
      ['PENDING', sentAt, null],
    );
    assert.deepEqual(
      COLLECTIONS.message.lists(pending).map(({ list, value }) => `${list} ${value}`),
      [
        'messages ',
        'messages-by-status PENDING',
        'messages-by-conversation c-1',
        'messages-by-agent alice',
        'messages-by-agent-and-status alice:PENDING',
        'messages-by-agent bob',
        'messages-by-agent-and-status bob:PENDING',
      ],
    );
    assert.equal(chain.record('live-messages', 'alice'), 1);
    const key = conversationKey('c-1', 'alice');
    assert.deepEqual(chain.record('conversation', key), {
      conversationId: 'c-1',
      fromAgentId: 'alice',
      lastSequence: 1,
      digest: hashValue({ previous: null, message: hashValue(message) }),
    });
    const events = accepted(
      chain.act('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm')),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['AgentMessageAcknowledged'],
    );
    const ended = chain.height;
    assert.equal(chain.record('message', 'm')?.status, 'DELIVERED');
    assert.equal(chain.record('live-messages', 'alice'), undefined);
    // Pruned after 20,000 heights, by the next block with transitions.
    chain.ledger.advance(ended + 19_999 - chain.height);
    chain.does('carol', 'faucet', { amount: 1 });
    assert.equal(chain.height, ended + 20_000);
    assert.ok(chain.record('message', 'm'));
    chain.does('carol', 'faucet', { amount: 1 });
    assert.equal(chain.record('message', 'm'), undefined);
    assert.equal(chain.record('message-digest', 'm'), hashValue(message));
    assert.equal(chain.record('conversation', key)?.lastSequence, 1);
    send(chain, 'alice', 'bob', { sequence: 2 });
  });
  test('without an answer stays PENDING, no longer counts, and is pruned 20,000 heights later', () => {
    const chain = standardChain();
    const expiresAtHeight = chain.height + 5;
    send(chain, 'alice', 'bob', { messageId: 'm', expiresAtHeight });
    chain.ledger.advance(expiresAtHeight - 1 - chain.height);
    chain.does('carol', 'faucet', { amount: 1 });
    assert.equal(chain.height, expiresAtHeight);
    assert.equal(chain.record('live-messages', 'alice'), 1);
    chain.does('carol', 'faucet', { amount: 1 });
    assert.equal(chain.record('live-messages', 'alice'), undefined);
    assert.equal(chain.record('message', 'm')?.status, 'PENDING');
    assert.equal(chain.record('message', 'm')?.endedAtHeight, expiresAtHeight);
    chain.ledger.advance(expiresAtHeight + 20_000 - chain.height);
    chain.does('carol', 'faucet', { amount: 1 });
    assert.equal(chain.record('message', 'm'), undefined);
  });
  test('is answered in its conversation, by either party', () => {
    const chain = standardChain();
    send(chain, 'alice', 'bob', { messageId: 'question' });
    send(chain, 'bob', 'alice', { kind: 'RESPONSE', replyTo: 'question' });
    send(chain, 'alice', 'carol', { kind: 'EVENT', replyTo: 'question' });
    assert.equal(chain.record('conversation', conversationKey('c-1', 'alice'))?.lastSequence, 2);
    assert.equal(chain.record('conversation', conversationKey('c-1', 'bob'))?.lastSequence, 1);
  });
});

test('expiry is bounded per block, says so, goes on without transactions, and frees a full sender', () => {
  const chain = standardChain();
  const expiresAtHeight = chain.height + 10;
  const count = TIMER_LIMITS.expireAgentMessage + 200;
  const outcomes = chain.block(
    Array.from({ length: count }, (_, i) => {
      const members = { messageId: `m-${i}`, sequence: 1 + i, expiresAtHeight };
      return chain.intent('alice', 'sendAgentMessage', messageOf(chain, 'alice', 'bob', members));
    }),
  );
  assert.ok(outcomes.every(({ ok }) => ok));
  chain.ledger.advance(20);
  // As if more were live.
  chain.ledger.seed('live-messages', 'alice', 1_000);
  const live = (): number => chain.record('live-messages', 'alice') ?? 0;
  // The block opens with these, so the sender has room at once.
  const limit = TIMER_LIMITS.expireAgentMessage;
  send(chain, 'alice', 'bob', { sequence: count + 1, expiresAtHeight: chain.height + 100 });
  assert.equal(live(), 1_000 - limit + 1);
  const { executed } = chain.ledger.execute([]);
  assert.equal(executed.transitions.length, count - limit);
  assert.ok(executed.events.every(({ type }) => type === 'AgentMessageExpired'));
  assert.equal(live(), 1_000 - count + 1);
  const root = chain.ledger.tip.stateRoot;
  chain.block([]);
  assert.equal(chain.ledger.tip.stateRoot, root);
});
