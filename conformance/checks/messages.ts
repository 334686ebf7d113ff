/** Message commitments: members, order and status. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { expectPayloadInvalid, expectProblem, membersOf, textOf } from '../expect.ts';
import type { Network } from '../network.ts';
import { ABSENT, hashOf, memberCheck, replaced, type Sender } from './payloads.ts';

async function messageOf(net: Network, members: JsonObject = {}): Promise<JsonObject> {
  const from = await net.agent('sender');
  const to = await net.agent('recipient');
  return {
    schema: 'NET-AGENT-MESSAGE/1',
    messageId: net.fresh('message'),
    conversationId: net.fresh('talk'),
    agentId: from.actorId,
    fromAgentId: from.actorId,
    toAgentId: to.actorId,
    sequence: 1,
    kind: 'REQUEST',
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: hashOf('d'),
    expiresAtHeight: (await net.height()) + 500,
    ...members,
  };
}

const send: Sender = async (net, members, without) =>
  net.tries(
    await net.agent('sender'),
    'sendAgentMessage',
    replaced(await messageOf(net), members, without),
  );

async function sent(net: Network, members: JsonObject = {}): Promise<JsonObject> {
  const message = await messageOf(net, members);
  await net.does(await net.agent('sender'), 'sendAgentMessage', message);
  return message;
}

async function listed(net: Network, query: string): Promise<JsonObject[]> {
  return (await net.http.document(`/v1/agent-messages?${query}`))['messages'] as JsonObject[];
}

export const MESSAGE_CHECKS = [
  memberCheck(['message.schema'], 'schema', send, {
    bad: [ABSENT, 'NET-AGENT-MESSAGE/2', 1],
    good: ['NET-AGENT-MESSAGE/1'],
  }),
  memberCheck(['message.messageId'], 'messageId', send, { bad: [ABSENT, 7, ''] }),
  memberCheck(['message.conversationId'], 'conversationId', send, { bad: [ABSENT, 7, ''] }),
  memberCheck(['message.agentId'], 'agentId', send, { bad: [ABSENT, 7] }),
  memberCheck(['message.fromAgentId'], 'fromAgentId', send, { bad: [ABSENT, 7] }),
  memberCheck(['message.toAgentId'], 'toAgentId', send, { bad: [ABSENT, 7] }),
  memberCheck(['message.sequence', 'limit.message-sequence'], 'sequence', send, {
    bad: [ABSENT, 0, -1, '1'],
    good: [1],
  }),
  memberCheck(['message.kind'], 'kind', send, {
    bad: [ABSENT, 'request', 'QUESTION', 1],
    good: ['REQUEST', 'RESPONSE', 'EVENT'],
  }),
  memberCheck(['message.contentEncoding'], 'contentEncoding', send, {
    bad: [ABSENT, 'application/json', 'text/plain'],
    good: ['application/ael-encrypted+json'],
  }),
  memberCheck(['message.contentHash'], 'contentHash', send, {
    bad: [ABSENT, 'A'.repeat(64), 'a'.repeat(63)],
    good: [hashOf('0')],
  }),
  memberCheck(['message.envelopeUri'], 'envelopeUri', send, {
    bad: ['http://store.example/1', '', 7],
    good: [ABSENT, 'https://store.example/1'],
  }),
  memberCheck(['message.replyTo'], 'replyTo', send, { bad: [7, ''], good: [ABSENT] }),
  memberCheck(['message.expiresAtHeight'], 'expiresAtHeight', send, { bad: [ABSENT, '9', -1] }),
  memberCheck(['message.closed', 'reads.hide-private'], 'body', send, { bad: ['a plain body'] }),

  check(
    'the acting agent is both sender and signer',
    ['message.sender-acts', 'message.agentId', 'message.fromAgentId'],
    async (net) => {
      const other = await net.agent('recipient');
      expectProblem(await send(net, { agentId: other.actorId }, null), 409);
      expectProblem(await send(net, { fromAgentId: other.actorId }, null), 409);
      const both = { agentId: other.actorId, fromAgentId: other.actorId };
      expectProblem(await send(net, both, null), 409);
    },
  ),

  check(
    'messages are counted by conversation and sender, without a gap',
    ['message.sequence-per-sender', 'limit.message-sequence'],
    async (net) => {
      const conversationId = net.fresh('talk');
      const at = (sequence: number) => send(net, { conversationId, sequence }, null);
      expectProblem(await at(2), 409, 'MESSAGE_SEQUENCE_GAP');
      assert.equal((await at(1)).status, 201);
      for (const wrong of [1, 3]) expectProblem(await at(wrong), 409, 'MESSAGE_SEQUENCE_GAP');
      assert.equal((await at(2)).status, 201);
      // Each direction of a conversation has its own sequence.
      const back = await net.agent('recipient');
      const reply = await messageOf(net, {
        conversationId,
        agentId: back.actorId,
        fromAgentId: back.actorId,
        toAgentId: (await net.agent('sender')).actorId,
      });
      await net.does(back, 'sendAgentMessage', reply);
    },
  ),

  check(
    'a message expires at most 5,000 heights from now',
    ['message.expiry-distance', 'limit.message-expiry', 'message.expiresAtHeight'],
    async (net) => {
      const height = await net.height();
      expectProblem(await send(net, { expiresAtHeight: height }, null), 409, 'MESSAGE_EXPIRED');
      const fits = await send(net, { expiresAtHeight: height + 5_000 }, null);
      assert.equal(fits.status, 201, '5,000 heights ahead were refused');
      // Blocks may be added meanwhile, so exceed the limit by enough for any of them.
      const over = await send(net, { expiresAtHeight: height + 5_200 }, null);
      expectProblem(over, 409, 'MESSAGE_EXPIRY_TOO_FAR');
    },
  ),

  check('what a message answers exists', ['message.replyTo'], async (net) => {
    const question = await sent(net);
    const replyTo = question['messageId'] as string;
    const { conversationId = null } = question;
    const reply = { conversationId, sequence: 2, replyTo };
    assert.equal((await send(net, reply, null)).status, 201);
    const lost = { conversationId, sequence: 3, replyTo: net.fresh('lost') };
    expectProblem(await send(net, lost, null), 409, 'REPLY_TO_UNKNOWN');
  }),

  check(
    'messages are listed by agent, conversation and status, as commitments only',
    [
      'get.agent-messages',
      'get.agent-messages.agentId',
      'get.agent-messages.conversationId',
      'get.agent-messages.status',
      'service.message-commitments',
      'message.status.PENDING',
      'reads.hide-private',
    ],
    async (net) => {
      const message = await sent(net);
      const { conversationId, messageId } = message;
      const agentId = textOf(message['fromAgentId']);
      for (const query of [
        `conversationId=${textOf(conversationId)}`,
        `agentId=${agentId}`,
        `agentId=${agentId}&status=PENDING`,
        `status=PENDING&conversationId=${textOf(conversationId)}`,
      ]) {
        const found = (await listed(net, query)).find((item) => item['messageId'] === messageId);
        assert.ok(found, `${query} does not list it`);
        assert.equal(found['status'], 'PENDING');
        assert.equal(found['contentHash'], message['contentHash']);
        for (const [name] of membersOf(found))
          assert.doesNotMatch(name, /^(body|text|content|plaintext)$/i);
      }
      assert.deepEqual(await listed(net, `agentId=${net.id('absent')}`), []);
      const unknown = await net.http.get('/v1/agent-messages?status=LOST');
      expectProblem(unknown, 400, 'PARAMETER_INVALID');
    },
  ),

  check(
    'the recipient confirms a message or turns it down',
    ['message.status.DELIVERED', 'message.status.REJECTED'],
    async (net) => {
      for (const status of ['DELIVERED', 'REJECTED']) {
        const { messageId = null, conversationId } = await sent(net);
        const to = await net.agent('recipient');
        const answer = { agentId: to.actorId, messageId, status, receiptHash: hashOf('e') };
        await net.does(to, 'acknowledgeAgentMessage', answer);
        const query = `conversationId=${textOf(conversationId)}&status=${status}`;
        assert.equal((await listed(net, query)).length, 1);
      }
      const { messageId = null } = await sent(net);
      const from = await net.agent('sender');
      const own = {
        agentId: from.actorId,
        messageId,
        status: 'DELIVERED',
        receiptHash: hashOf('e'),
      };
      expectProblem(await net.tries(from, 'acknowledgeAgentMessage', own), 409);
      const lost = { ...own, status: 'LOST' };
      expectPayloadInvalid(await net.tries(from, 'acknowledgeAgentMessage', lost), 'status');
    },
  ),
];
