import { MAX_EXPIRY_DISTANCE, type JsonObject } from '@netd/protocol';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import type { RefusalCase } from './case.ts';

/** Uses the next sequence of its conversation. */
export function messageOf(
  chain: Pick<TestChain, 'height' | 'freshNonce'>,
  fromAgentId: string,
  toAgentId: string,
  members: JsonObject = {},
): JsonObject {
  return {
    schema: 'NET-AGENT-MESSAGE/1',
    messageId: chain.freshNonce(),
    conversationId: 'c-1',
    agentId: fromAgentId,
    fromAgentId,
    toAgentId,
    sequence: 1,
    kind: 'REQUEST',
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: 'cd'.repeat(32),
    expiresAtHeight: chain.height + 100,
    ...members,
  };
}

export const acknowledgementOf = (
  agentId: string,
  messageId: string,
  status = 'DELIVERED',
): JsonObject => ({ agentId, messageId, status, receiptHash: 'ef'.repeat(32) });

function sent(chain: TestChain, members: JsonObject = {}): TestChain {
  const message = messageOf(chain, 'alice', 'bob', { messageId: 'm-1', ...members });
  return chain.does('alice', 'sendAgentMessage', message);
}

const send = (chain: TestChain, members: JsonObject) =>
  chain.intent('alice', 'sendAgentMessage', messageOf(chain, 'alice', 'bob', members));
const acknowledge = (chain: TestChain, agentId: string, messageId = 'm-1') =>
  chain.intent(agentId, 'acknowledgeAgentMessage', acknowledgementOf(agentId, messageId));

export const MESSAGE_REFUSALS: RefusalCase[] = [
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_SENDER_MISMATCH',
    rule: 'an agent cannot send in the name of another',
    provoke: (chain) => send(chain, { fromAgentId: 'carol' }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'RECIPIENT_IS_SENDER',
    rule: 'an agent cannot send a message to itself',
    provoke: (chain) => send(chain, { toAgentId: 'alice' }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'AGENT_UNKNOWN',
    rule: 'messages go to registered agents',
    provoke: (chain) => send(chain, { toAgentId: 'nobody' }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'AGENT_UNKNOWN',
    rule: 'an operator is no agent',
    provoke: (chain) => send(chain, { toAgentId: OPERATOR }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'AGENT_INACTIVE',
    rule: 'messages go to active agents',
    provoke: (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
      return send(chain, {});
    },
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_EXPIRED',
    rule: 'a message can be acknowledged at one height at least',
    provoke: (chain) => send(chain, { expiresAtHeight: chain.height }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_EXPIRY_TOO_FAR',
    rule: 'a message lives at most 5,000 heights beyond the current one',
    provoke: (chain) => send(chain, { expiresAtHeight: chain.height + MAX_EXPIRY_DISTANCE + 1 }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_ID_USED',
    rule: 'a messageId is used once across all agents',
    provoke: (chain) => {
      sent(chain);
      const members = { messageId: 'm-1', conversationId: 'c-2' };
      const message = messageOf(chain, 'carol', 'bob', members);
      return chain.intent('carol', 'sendAgentMessage', message);
    },
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_ID_USED',
    rule: 'a messageId stays used when the message has left state',
    provoke: (chain) => {
      sent(chain);
      chain.does('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm-1'));
      chain.ledger.advance(20_001);
      chain.does('carol', 'faucet', { amount: 1 });
      if (chain.record('message', 'm-1')) throw new Error('m-1 is still in state');
      return send(chain, { messageId: 'm-1', sequence: 2 });
    },
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_SEQUENCE_GAP',
    rule: 'a conversation begins with sequence 1',
    provoke: (chain) => send(chain, { sequence: 2 }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_SEQUENCE_GAP',
    rule: 'a sequence is used once',
    provoke: (chain) => send(sent(chain), { sequence: 1 }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_SEQUENCE_GAP',
    rule: 'no sequence is left out',
    provoke: (chain) => send(sent(chain), { sequence: 3 }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'REPLY_TO_UNKNOWN',
    rule: 'an answer names a message there is',
    provoke: (chain) => send(chain, { replyTo: 'm-0' }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'REPLY_TO_UNKNOWN',
    rule: 'an answer stays in its conversation',
    provoke: (chain) => send(sent(chain), { conversationId: 'c-2', replyTo: 'm-1' }),
  },
  {
    subject: 'sendAgentMessage',
    code: 'REPLY_TO_UNKNOWN',
    rule: 'only a party of a message answers it',
    provoke: (chain) => {
      sent(chain);
      const message = messageOf(chain, 'carol', 'bob', { replyTo: 'm-1' });
      return chain.intent('carol', 'sendAgentMessage', message);
    },
  },
  {
    subject: 'sendAgentMessage',
    code: 'MESSAGE_LIMIT_REACHED',
    rule: 'a sender has at most 1,000 messages waiting',
    provoke: (chain) => {
      chain.ledger.seed('live-messages', 'alice', 1_000);
      return send(chain, {});
    },
  },
  {
    subject: 'acknowledgeAgentMessage',
    code: 'MESSAGE_UNKNOWN',
    rule: 'there must be something to acknowledge',
    provoke: (chain) => acknowledge(chain, 'bob'),
  },
  {
    subject: 'acknowledgeAgentMessage',
    code: 'NOT_MESSAGE_RECIPIENT',
    rule: 'only the recipient acknowledges, not even the sender',
    provoke: (chain) => acknowledge(sent(chain), 'alice'),
  },
  {
    subject: 'acknowledgeAgentMessage',
    code: 'MESSAGE_ALREADY_ACKNOWLEDGED',
    rule: 'a message is acknowledged once',
    provoke: (chain) => {
      const rejection = acknowledgementOf('bob', 'm-1', 'REJECTED');
      sent(chain).does('bob', 'acknowledgeAgentMessage', rejection);
      return acknowledge(chain, 'bob');
    },
  },
  {
    subject: 'acknowledgeAgentMessage',
    code: 'MESSAGE_EXPIRED',
    rule: 'an expired message is not acknowledged any more',
    provoke: (chain) => {
      sent(chain, { expiresAtHeight: chain.height + 2 });
      chain.ledger.advance(1);
      return acknowledge(chain, 'bob');
    },
  },
];
