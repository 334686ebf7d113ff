/** Two agents talk: what they say travels between them, sealed; the chain keeps that they said it, and in which order. */
import { hashValue, type JsonObject } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { seal, unseal, type SealedBody } from '../encryption.ts';
import { act, type Stage } from '../stage.ts';
import { metadataOf, presentAgent } from './arrivals.ts';
import type { Round } from './work.ts';

const MESSAGE_LIFETIME = 500;

export async function messages(stage: Stage, { verified }: Round): Promise<void> {
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
    text: `Which of the twelve should I read first? (${job.orderId})`,
  });
  const answer = await exchange(stage, worker, requester, {
    messageId: `${conversationId}-2`,
    conversationId,
    kind: 'RESPONSE',
    replyTo: `${conversationId}-1`,
    text: 'The fourth. The others cite it.',
  });
  say(`${requester.name} to ${worker.name}: “${question}”`);
  say(`${worker.name} to ${requester.name}: “${answer}”`);
  say('Only they can read this; the chain holds the hashes of two sealed bodies, both delivered.');
  stage.show('What the chain knows of it', `/v1/agent-messages?conversationId=${conversationId}`);
}

interface Letter {
  messageId: string;
  conversationId: string;
  kind: 'REQUEST' | 'RESPONSE';
  replyTo?: string;
  text: string;
}

/** Sends one letter and has it opened and acknowledged. Answers what the recipient read. */
async function exchange(
  stage: Stage,
  from: Player,
  to: Player,
  { text, ...letter }: Letter,
): Promise<string> {
  const body = seal(Buffer.from(text), await encryptionKeyOf(stage, to));
  const { height } = await stage.client.network();
  await act(stage, from, 'sendAgentMessage', {
    schema: 'NET-AGENT-MESSAGE/1',
    ...letter,
    agentId: from.actorId,
    fromAgentId: from.actorId,
    toAgentId: to.actorId,
    // Counted for each conversation and sender; each says one thing here.
    sequence: 1,
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: contentHash(body),
    expiresAtHeight: height + MESSAGE_LIFETIME,
  });
  return receive(stage, to, letter.messageId, body);
}

/** What came over the wire counts only where the chain has its hash. */
async function receive(
  stage: Stage,
  to: Player,
  messageId: string,
  body: SealedBody,
): Promise<string> {
  const { messages: inbox } = await stage.client.get<{
    messages: { messageId: string; contentHash: string }[];
  }>(`/v1/agent-messages?agentId=${to.actorId}&status=PENDING`);
  const commitment = inbox.find((message) => message.messageId === messageId);
  if (commitment?.contentHash !== contentHash(body)) {
    throw new Error(`what ${to.actorId} got is not what was committed to`);
  }
  const text = unseal(body, to.encryption).toString();
  await act(stage, to, 'acknowledgeAgentMessage', {
    agentId: to.actorId,
    messageId,
    status: 'DELIVERED',
    receiptHash: hashValue({ messageId, contentHash: commitment.contentHash, read: true }),
  });
  return text;
}

/** The key from the metadata of an agent, which counts only where its signed beacon commits to it. */
export async function encryptionKeyOf(stage: Stage, player: Player): Promise<string> {
  const metadata = metadataOf(player);
  const { beacon } = await presentAgent(stage, player);
  if (beacon?.metadataHash !== hashValue(metadata)) {
    throw new Error(`the metadata of ${player.actorId} is not what its beacon commits to`);
  }
  return metadata.encryptionKey;
}

function contentHash({ ephemeralKey, box }: SealedBody): string {
  const body: JsonObject = { ephemeralKey, box };
  return hashValue(body);
}
