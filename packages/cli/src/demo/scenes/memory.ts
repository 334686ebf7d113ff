/** An agent moves house: it commits to its encrypted memory, another runtime restores it, and only then it switches. */
import { randomBytes } from 'node:crypto';
import { canonicalize, hashValue, merkleRoot, sha256Hex, type JsonObject } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { decrypt, encrypt, seal, unseal, type SealedBody } from '../encryption.ts';
import { act, type Stage } from '../stage.ts';
import { encryptionKeyOf } from './messages.ts';
import type { Round } from './work.ts';

const CHUNK_BYTES = 256;
const OFFER_LIFETIME = 1_000;
const HANDOVER_LIFETIME = 200;

/** What the agent gives to the providers that store for it, and the key to the one that shall run it. */
interface Bundle {
  chunks: Buffer[];
  key: SealedBody;
}

interface CheckpointView {
  checkpointId: string;
  generation: number;
  checkpointHash: string;
  stateRoot: string;
  chunksRoot: string;
}

interface HandoverView {
  handoverId: string;
  status: 'PREPARED' | 'TARGET_RESTORED' | 'FINALIZED' | 'ABORTED';
  targetProviderId: string;
}

export async function memory(stage: Stage, { verified }: Round): Promise<void> {
  const { cast, runId, say } = stage;
  const [job] = verified;
  if (!job) throw new Error('there is a verified job');
  const agent = job.worker;
  const home = await runtimeOf(stage, agent);
  const target = cast.providers.find(({ actorId }) => actorId !== home) ?? agent;
  const runtimeId = `runtime-${target.actorId}`;
  await offerRuntime(stage, target, runtimeId);

  const content: JsonObject = { agent: agent.name, learned: [job.deliverable], mood: 'curious' };
  const { bundle, checkpoint } = await commitCheckpoint(stage, agent, target, content);
  const { generation, byteLength } = checkpoint;
  say(
    `${agent.name} commits generation ${generation} of its memory: ${byteLength} bytes, encrypted.`,
  );

  const handoverId = `demo-${runId}-move`;
  const { height } = await stage.client.network();
  await act(stage, agent, 'prepareMemoryHandover', {
    agentId: agent.actorId,
    handoverId,
    checkpointHash: checkpoint.checkpointHash,
    targetProviderId: target.actorId,
    targetRuntimeId: runtimeId,
    expiresAtHeight: height + HANDOVER_LIFETIME,
  });
  const restored = await restore(stage, target, agent, bundle);
  await act(stage, target, 'attestMemoryRestore', {
    providerId: target.actorId,
    handoverId,
    restoredStateRoot: restored,
  });
  await act(stage, agent, 'finalizeMemoryHandover', { agentId: agent.actorId, handoverId });
  say(`${target.name} restores it, finds the same state root, and ${agent.name} moves in there.`);
  stage.show(
    'Its memory, generation by generation',
    `/v1/memory/checkpoints?agentId=${agent.actorId}`,
  );
  stage.show('Its moves', `/v1/memory/handovers?agentId=${agent.actorId}`);
}

/** The provider an agent runs with, as the chain knows it; gives up what an interrupted run left open. */
async function runtimeOf(stage: Stage, { actorId, key }: Player): Promise<string | null> {
  const { handovers } = await stage.client.get<{ handovers: HandoverView[] }>(
    `/v1/memory/handovers?agentId=${actorId}`,
  );
  const open = handovers.find(
    ({ status }) => status === 'PREPARED' || status === 'TARGET_RESTORED',
  );
  if (open) {
    const { handoverId } = open;
    await act(stage, { actorId, key }, 'abortMemoryHandover', { agentId: actorId, handoverId });
  }
  return handovers.find(({ status }) => status === 'FINALIZED')?.targetProviderId ?? null;
}

async function offerRuntime(stage: Stage, provider: Player, runtimeId: string): Promise<void> {
  const { height } = await stage.client.network();
  await act(stage, provider, 'registerRuntimeOffer', {
    providerId: provider.actorId,
    runtimeId,
    endpoint: `https://${provider.name}.example/runtime`,
    serializer: 'NET-PORTABLE-MEMORY/1',
    encryptions: ['AES-256-GCM'],
    maxByteLength: 1_000_000,
    expiresAtHeight: height + OFFER_LIFETIME,
  });
}

async function latestCheckpoint(
  { client }: Stage,
  { actorId }: Player,
): Promise<CheckpointView | null> {
  const { checkpoints } = await client.get<{ checkpoints: CheckpointView[] }>(
    `/v1/memory/checkpoints?agentId=${actorId}&limit=1`,
  );
  return checkpoints[0] ?? null;
}

async function commitCheckpoint(
  stage: Stage,
  agent: Player,
  target: Player,
  content: JsonObject,
): Promise<{
  bundle: Bundle;
  checkpoint: { generation: number; byteLength: number; checkpointHash: string };
}> {
  const last = await latestCheckpoint(stage, agent);
  const memoryKey = randomBytes(32);
  const box = encrypt(memoryKey, Buffer.from(canonicalize(content)));
  const chunks = Array.from({ length: Math.ceil(box.length / CHUNK_BYTES) }, (_, i) =>
    box.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES),
  );
  const described = {
    generation: (last?.generation ?? 0) + 1,
    parentCheckpointHash: last?.checkpointHash ?? null,
    stateRoot: hashValue(content),
    chunksRoot: merkleRoot(chunks.map((chunk) => sha256Hex(chunk))),
    byteLength: box.length,
    chunkCount: chunks.length,
  };
  const checkpoint = { ...described, checkpointHash: hashValue(described) };
  await act(stage, agent, 'commitMemoryCheckpoint', {
    ...checkpoint,
    agentId: agent.actorId,
    checkpointId: `demo-${stage.runId}-memory`,
    serializer: 'NET-PORTABLE-MEMORY/1',
    encryption: 'AES-256-GCM',
    barrier: { lastInputSequence: 1, lastOutputSequence: 1 },
    storageReplicas: stage.cast.providers.map(({ actorId, name }) => ({
      providerId: actorId,
      uri: `https://${name}.example/memory/${checkpoint.checkpointHash}`,
      bundleHash: sha256Hex(box),
    })),
  });
  const key = seal(memoryKey, await encryptionKeyOf(stage, target));
  return { bundle: { chunks, key }, checkpoint };
}

/** What the provider does with the chunks it stores and the key it got: checks them, decrypts, and hashes what it finds. */
async function restore(
  stage: Stage,
  provider: Player,
  agent: Player,
  { chunks, key }: Bundle,
): Promise<string> {
  const committed = await latestCheckpoint(stage, agent);
  if (committed?.chunksRoot !== merkleRoot(chunks.map((chunk) => sha256Hex(chunk)))) {
    throw new Error(`the chunks of ${agent.actorId} are not those it committed to`);
  }
  const content = decrypt(unseal(key, provider.encryption), Buffer.concat(chunks)).toString();
  return hashValue(JSON.parse(content));
}
