/**
 * Stores metadata, sealed messages and texts of orders. Uses only stores that the reader has allowed
 * (docs/decisions/110).
 */
import {
  agentMetadata,
  conditionKindsOf,
  FormatError,
  publicEncryptionKey,
  workScope,
  type Keyring,
  type WorkScope,
} from '@netd/formats';
import {
  contestBondOf,
  bytesToHex,
  utf8Bytes,
  type JsonObject,
  type WorkPolicy,
} from '@netd/protocol';
import { VerifiedReader } from '@netd/sdk/core';
import {
  blobUri,
  nextSequence,
  openMessage,
  Origins,
  Peers,
  Poller,
  receiptHash,
  requireJudgeable,
  requireScope,
  RetryingClient,
  sealMessage,
  type MessageFacts,
} from '@netd/sdk/internal';
import { client } from '../chain/client.ts';
import { findStores } from '../chain/stores.ts';
import type { Holder } from './holder.ts';
import type { Wish } from './signing.ts';

const PATIENCE = 60_000;
/** Heights until a message expires. */
const MESSAGE_LIFETIME = 2_000;

class StoresError extends Error {
  override name = 'StoresError';
}

interface Parts {
  agentId: string;
  chainId: string;
  encryption: Keyring | null;
  retryingClient: RetryingClient;
  origins: Origins;
  peers: Peers;
}

async function partsOf({
  actorId,
  chainId,
  genesisHash,
  encryption,
  signing,
}: Holder): Promise<Parts> {
  const { usable } = await findStores();
  if (usable.length === 0) {
    throw new StoresError('This page may not use any store yet. Allow one first.');
  }
  const poller = new Poller(AbortSignal.timeout(PATIENCE));
  const reader = new VerifiedReader(client, { genesisHash });
  const retryingClient = new RetryingClient(client, poller, { emit: () => {} }, reader);
  const signer = { keyId: actorId, sign: (bytes: Uint8Array) => signing.signBytes(bytes) };
  const blobs = usable.map(({ origin }) => origin);
  const origins = new Origins(retryingClient, signer, { blobs });
  return {
    agentId: actorId,
    chainId,
    encryption,
    retryingClient,
    origins,
    peers: new Peers(retryingClient, origins),
  };
}

const randomId = (prefix: string): string =>
  `${prefix}-${bytesToHex(crypto.getRandomValues(new Uint8Array(12)))}`;

export async function wishToBeFound(
  holder: Holder,
  { description, capabilities }: { description: string; capabilities: readonly string[] },
): Promise<Wish> {
  const { origins, encryption } = await partsOf(holder);
  if (!encryption) {
    throw new StoresError('Open the encryption key file too. Others encrypt messages to that key.');
  }
  const places = origins.places();
  const { bytes, hash } = agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId: holder.actorId,
    description,
    encryptionKey: publicEncryptionKey(encryption[0]),
    blobs: places.map(({ origin }) => origin),
  });
  const { places: stored } = await origins.put(bytes);
  const [first] = stored;
  if (!first) throw new StoresError('No store accepted the description. Try again later.');
  return {
    action: 'publishBeacon',
    payload: {
      endpoint: blobUri(first.origin, hash),
      capabilities: [...capabilities],
      protocols: ['NET-AGENT-MESSAGE/1'],
      metadataHash: hash,
    },
  };
}

export interface MessageDraft {
  to: string;
  text: string;
  answers: MessageFacts | null;
}

export async function wishToSend(
  holder: Holder,
  { to, text, answers }: MessageDraft,
): Promise<Wish> {
  const parts = await partsOf(holder);
  const conversationId = answers?.conversationId ?? randomId('c');
  const sequence = await nextSequence(parts, conversationId, holder.actorId);
  const ids = {
    messageId: randomId('m'),
    conversationId,
    fromAgentId: holder.actorId,
    toAgentId: to,
    sequence,
  };
  const own = holder.encryption?.[0];
  const readers = own ? [publicEncryptionKey(own)] : [];
  const sealed = await sealMessage(parts, ids, utf8Bytes(text), readers);
  if (!sealed) {
    throw new StoresError(
      `${to} cannot be reached: it publishes no encryption key, or no store that this page may ask has the key.`,
    );
  }
  const { hash: contentHash, places } = await parts.origins.put(sealed);
  const [place] = places;
  const height = await parts.retryingClient.height();
  return {
    action: 'sendAgentMessage',
    payload: {
      ...ids,
      kind: answers?.kind === 'REQUEST' ? 'RESPONSE' : 'REQUEST',
      contentHash,
      ...(place ? { envelopeUri: blobUri(place.origin, contentHash) } : {}),
      ...(answers ? { replyTo: answers.messageId } : {}),
      expiresAtHeight: height + MESSAGE_LIFETIME,
    },
  };
}

/**
 * Reads a message after proving its commitment on the chain. The wallet seals to the sender, too.
 * @throws StoresError if a sent message opens only for its recipient
 */
export async function readMessage(holder: Holder, facts: MessageFacts): Promise<string> {
  const parts = await partsOf(holder);
  await parts.retryingClient.proveMessage(facts);
  try {
    return (await openMessage(parts, facts)).text;
  } catch (error) {
    const isForOther = error instanceof FormatError && error.code === 'SEALED_NOT_FOR_KEY';
    if (!isForOther || facts.fromAgentId !== holder.actorId) throw error;
    throw new StoresError(
      'It was encrypted for its recipient alone. Only the recipient can open it.',
      {
        cause: error,
      },
    );
  }
}

export function wishToConfirm({ actorId }: Holder, facts: MessageFacts): Wish {
  const { messageId } = facts;
  return {
    action: 'acknowledgeAgentMessage',
    payload: {
      agentId: actorId,
      messageId,
      status: 'DELIVERED',
      receiptHash: receiptHash(facts, null),
    },
  };
}

export interface OfferDraft {
  title: string;
  instructions: string;
  /** A question about the result for the verifiers. */
  question: string;
  funding: number;
  requirements: readonly string[];
  /** The chosen worker; empty for the open market. */
  worker: string;
  /** True to offer the order even if no verifiers could judge a result now. */
  anyway: boolean;
}

const LARGEST_RESULT = 1_048_576;

export async function wishToOffer(holder: Holder, draft: OfferDraft): Promise<Wish> {
  const { title, instructions, question, funding, requirements, worker, anyway } = draft;
  const parts = await partsOf(holder);
  const scope: WorkScope = {
    schema: 'NET-WORK-SCOPE/1',
    title,
    instructions,
    inputs: [],
    deliverable: { mediaType: 'text/plain', maxBytes: LARGEST_RESULT },
    acceptance: [{ kind: 'review', question }],
  };
  const { bytes, hash: scopeHash } = workScope.make(scope);
  await requireJudgeable(parts, scope, { agentId: holder.actorId, unverifiedAnyway: anyway });
  await parts.origins.put(bytes);
  const orderId = randomId('order');
  return {
    anyway,
    action: 'createWorkOrder',
    payload: async ({ genesis }) => ({
      orderId,
      title,
      scopeHash,
      jobType: requirements[0] ?? 'general',
      funding,
      ...(requirements.length > 0 ? { requirements: [...requirements] } : {}),
      ...(worker === '' ? {} : { agentId: worker }),
      // Only chains with version 2 of the rules name their genesis, and know this member.
      ...(anyway || genesis.genesisHash === undefined
        ? {}
        : { conditionKinds: conditionKindsOf(scope) }),
    }),
  };
}

/** @throws AgentError if the scope is unavailable, or no worker could be paid */
export async function wishToAccept(
  holder: Holder,
  { orderId, workerBond }: { orderId: string; workerBond: number },
): Promise<Wish> {
  await requireScope(await partsOf(holder), orderId);
  const bond = workerBond > 0 ? { workerBond } : {};
  return { action: 'acceptWork', payload: { orderId, ...bond } };
}

export async function wishToDeliver(
  holder: Holder,
  { orderId, proofTypes }: { orderId: string; proofTypes: readonly string[] },
  result: Uint8Array,
): Promise<Wish> {
  const { origins } = await partsOf(holder);
  const { hash, places } = await origins.put(result);
  const [first] = places;
  const evidence: JsonObject = {
    schema: 'NET-WORK-EVIDENCE/1',
    ...(proofTypes.includes('ARTIFACT_HASH') ? { proofType: 'ARTIFACT_HASH' } : {}),
    artifactHash: hash,
    ...(first ? { uri: blobUri(first.origin, hash) } : {}),
  };
  return { action: 'submitWorkResult', payload: { orderId, deliverableHash: hash, evidence } };
}

export async function wishToDispute(
  holder: Holder,
  {
    orderId,
    rulesVersion = 1,
    funding,
  }: { orderId: string; rulesVersion?: number; funding: number },
  reason: string,
): Promise<Wish> {
  const { origins, retryingClient } = await partsOf(holder);
  const { work } = (await retryingClient.state('policy/limits')) as {
    work: WorkPolicy;
  };
  const { hash: reasonHash } = await origins.put(utf8Bytes(reason));
  const bond = rulesVersion >= 2 ? contestBondOf(funding) : work.disputeBond;
  const payload = { orderId, reasonHash, bond };
  return { action: 'openDispute', payload };
}

/** Returns null if no store has the scope, or it is sealed to others. */
export async function scopeOf(
  holder: Holder,
  scopeHash: string,
): Promise<{ instructions: string; questions: string[] } | null> {
  const { origins } = await partsOf(holder);
  const bytes = await origins.fetch(scopeHash);
  if (!bytes) return null;
  try {
    const { instructions, acceptance } = workScope.read(bytes, scopeHash);
    const questions = acceptance.map((one) => (one.kind === 'review' ? one.question : one.kind));
    return { instructions, questions };
  } catch {
    return null;
  }
}
