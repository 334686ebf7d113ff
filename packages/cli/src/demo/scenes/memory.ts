import { openMemory, publicEncryptionKey, readManifest, writeMemory } from '@netd/formats';
import { canonicalize, sha256Hex, utf8Bytes, type JsonObject } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { act, type Stage } from '../stage.ts';
import { encryptionKeyOf } from './messages.ts';
import type { Round } from './work.ts';

const OFFER_LIFETIME = 1_000;
const HANDOVER_LIFETIME = 200;

interface CheckpointView {
  checkpointId: string;
  generation: number;
  checkpointHash: string;
  parentCheckpointHash: string | null;
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
  const checkpoint = await commitCheckpoint(stage, agent, target, content);
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
  const restored = await restore(stage, target, agent);
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
): Promise<{ generation: number; byteLength: number; checkpointHash: string }> {
  const last = await latestCheckpoint(stage, agent);
  const facts = {
    agentId: agent.actorId,
    generation: (last?.generation ?? 0) + 1,
    parentCheckpointHash: last?.checkpointHash ?? null,
  };
  const { bundleHash, manifest } = await writeMemory(
    utf8Bytes(canonicalize(content)),
    facts,
    [publicEncryptionKey(agent.encryption), await encryptionKeyOf(stage, target)],
    async ({ bytes }) => void (await stage.blobs.put(agent, bytes)),
  );
  const { generation, parentCheckpointHash, chunks, chunksRoot, stateRoot, byteLength } = manifest;
  await act(stage, agent, 'commitMemoryCheckpoint', {
    agentId: agent.actorId,
    checkpointId: `demo-${stage.runId}-memory`,
    generation,
    parentCheckpointHash,
    checkpointHash: bundleHash,
    stateRoot,
    chunksRoot,
    byteLength,
    chunkCount: chunks.length,
    serializer: 'NET-PORTABLE-MEMORY/1',
    encryption: 'AES-256-GCM',
    barrier: { lastInputSequence: 1, lastOutputSequence: 1 },
    storageReplicas: replicasOf(stage, bundleHash),
  });
  return { generation, byteLength, checkpointHash: bundleHash };
}

function replicasOf({ blobs, cast }: Stage, bundleHash: string): JsonObject[] {
  const origins =
    blobs.stores.length >= 2
      ? blobs.stores.map(({ providerId, httpsUrl, url }): [string, string] => [
          providerId,
          httpsUrl ?? url.replace('http:', 'https:'),
        ])
      : cast.providers.map(({ actorId, name }): [string, string] => [
          actorId,
          `https://${name}.example`,
        ]);
  return origins.map(([providerId, origin]) => ({
    providerId,
    uri: `${origin}/blobs/${bundleHash}`,
    bundleHash,
  }));
}

async function restore(stage: Stage, provider: Player, agent: Player): Promise<string> {
  const committed = await latestCheckpoint(stage, agent);
  if (!committed) throw new Error(`${agent.actorId} has committed to no memory`);
  const { generation, parentCheckpointHash, checkpointHash: bundleHash } = committed;
  const { blobs } = stage;
  const manifest = readManifest(await blobs.get(bundleHash), {
    agentId: agent.actorId,
    generation,
    parentCheckpointHash,
    bundleHash,
  });
  return sha256Hex(await openMemory(manifest, provider.encryption, (hash) => blobs.get(hash)));
}
