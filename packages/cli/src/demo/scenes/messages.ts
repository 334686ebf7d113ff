import {
  agentMetadata,
  openContent,
  sealContent,
  type EncryptionKey,
  type MessageContext,
} from '@netd/formats';
import { hashValue, utf8Bytes, utf8Text } from '@netd/protocol';
import { CommandError } from '../../command-error.ts';
import type { Player } from '../cast.ts';
import { act, type Stage } from '../stage.ts';
import { presentAgent } from './arrivals.ts';
import { planOf } from './rounds.ts';
import type { Round } from './work.ts';

const MESSAGE_LIFETIME = 500;

export async function messages(
  stage: Stage,
  { verified }: Round,
  { talk } = planOf(0),
): Promise<void> {
  const { cast, runId, say } = stage;
  const [job] = verified;
  if (!job) throw new Error('there is a verified job');
  const { requester } = cast;
  const { worker } = job;
  const conversationId = `demo-${runId}-talk`;
  const question = await exchange(stage, requester, worker, {
    messageId: `${conversationId}-1`,
    conversationId,
    kind: 'REQUEST',
    text: `${talk[0]} (${job.orderId})`,
  });
  const answer = await exchange(stage, worker, requester, {
    messageId: `${conversationId}-2`,
    conversationId,
    kind: 'RESPONSE',
    replyTo: `${conversationId}-1`,
    text: talk[1],
  });
  say(`${requester.name} to ${worker.name}: “${question}”`);
  say(`${worker.name} to ${requester.name}: “${answer}”`);
  say(
    'Only they can read this. The chain holds the hashes of two encrypted messages, both delivered.',
  );
  stage.show('The messages on the chain', `/v1/agent-messages?conversationId=${conversationId}`);
}

interface Letter {
  messageId: string;
  conversationId: string;
  kind: 'REQUEST' | 'RESPONSE';
  replyTo?: string;
  text: string;
}

async function exchange(
  stage: Stage,
  from: Player,
  to: Player,
  { text, ...letter }: Letter,
): Promise<string> {
  const { messageId, conversationId } = letter;
  const commitment = {
    fromAgentId: from.actorId,
    toAgentId: to.actorId,
    conversationId,
    messageId,
    sequence: 1,
  };
  const facts = { chainId: stage.chainId, ...commitment };
  const sealed = await sealContent(utf8Bytes(text), [await encryptionKeyOf(stage, to)], facts);
  const contentHash = await stage.blobs.put(from, sealed.bytes);
  const { height } = await stage.client.network();
  await act(stage, from, 'sendAgentMessage', {
    schema: 'NET-AGENT-MESSAGE/1',
    ...letter,
    ...commitment,
    agentId: from.actorId,
    contentEncoding: 'application/ael-encrypted+json',
    contentHash,
    expiresAtHeight: height + MESSAGE_LIFETIME,
  });
  return receive(stage, to, messageId);
}

type Commitment = Omit<MessageContext, 'chainId'> & { contentHash: string };

async function receive(stage: Stage, to: Player, messageId: string): Promise<string> {
  const { messages: inbox } = await stage.client.get<{ messages: Commitment[] }>(
    `/v1/agent-messages?agentId=${to.actorId}&status=PENDING`,
  );
  const found = inbox.find((message) => message.messageId === messageId);
  if (!found) throw new CommandError(`${messageId} did not reach ${to.actorId}`);
  const { fromAgentId, toAgentId, conversationId, sequence, contentHash } = found;
  const { chainId } = stage;
  const facts = { chainId, fromAgentId, toAgentId, conversationId, messageId, sequence };
  const sealed = await stage.blobs.get(contentHash);
  const text = utf8Text(await openContent(sealed, to.encryption, facts, contentHash));
  await act(stage, to, 'acknowledgeAgentMessage', {
    agentId: to.actorId,
    messageId,
    status: 'DELIVERED',
    receiptHash: hashValue({ messageId, contentHash, read: true }),
  });
  return text;
}

export async function encryptionKeyOf(stage: Stage, player: Player): Promise<EncryptionKey> {
  const { beacon } = await presentAgent(stage, player);
  const hash = beacon?.metadataHash ?? '';
  return agentMetadata.read(await stage.blobs.get(hash), hash).encryptionKey;
}
