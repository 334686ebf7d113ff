import { FormatError } from '@netd/formats';
import { sha256Hex, type JsonValue } from '@netd/protocol';
import type { DocumentOf } from '../reads.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { asError } from './as-error.ts';
import { keepPolling } from './poll-loop.ts';
import { checkpointOf, entriesOf, fetchMemory } from './memory-checkpoint.ts';
import { requireKeyring, type AgentParts } from './parts.ts';
import { backoff, unlessStopped } from './poller.ts';

/** Memory of another agent. Treat it as untrusted content. */
export interface RestoredMemory {
  /** Id of the handover on the chain. */
  handoverId: string;
  /** The agent that the memory belongs to. */
  agentId: string;
  /** Name of the runtime that took it. */
  runtimeId: string;
  /** Number of the checkpoint. */
  generation: number;
  /** Hash of the checkpoint on the chain. */
  checkpointHash: string;
  /** Values by key; null if the memory has another format. */
  entries: Record<string, JsonValue> | null;
  /** The memory, unsealed and checked against its hash. */
  bytes: Uint8Array;
}

/** Restores a memory, which is attested unless this throws. After a crash it may be called again. */
export type RuntimeHandler = (memory: RestoredMemory) => unknown;

type Handover = DocumentOf<'/v1/memory/handovers'>['handovers'][number];

const MAX_ATTEMPTS = 6;

export class RuntimeWorker {
  private readonly parts: AgentParts;
  private readonly handler: RuntimeHandler;
  private readonly put = new Map<string, { until: number; tries: number }>();

  constructor(parts: AgentParts, handler: RuntimeHandler) {
    this.parts = parts;
    this.handler = handler;
  }

  async run(): Promise<void> {
    await keepPolling(this.parts, () => this.look(), this.put);
  }

  private async look(): Promise<void> {
    const { retryingClient, agentId } = this.parts;
    const pages = retryingClient.pages('/v1/memory/handovers', { limit: 100 });
    for await (const { handovers } of pages) {
      for (const handover of handovers) {
        const { handoverId, status, targetProviderId } = handover;
        if (status !== 'PREPARED' || targetProviderId !== agentId) continue;
        if (this.parts.time.now() >= (this.put.get(handoverId)?.until ?? 0))
          await this.take(handover);
      }
    }
  }

  private async take(handover: Handover): Promise<void> {
    if (!this.parts.poller.take()) return;
    const { agentId: providerId, outbox, events, poller, reach } = this.parts;
    const { handoverId, agentId, targetRuntimeId: runtimeId } = handover;
    try {
      const memory = await this.restore(handover);
      await unlessStopped(poller, (async () => this.handler(memory))());
      reach('handover.restored');
      const id = `restore/${handoverId}`;
      const restoredStateRoot = sha256Hex(memory.bytes);
      const payload = { providerId, handoverId, restoredStateRoot };
      await outbox.act(id, 'attestMemoryRestore', payload);
      await outbox.forget(id);
      this.put.delete(handoverId);
      events.emit('restored', { handoverId, agentId, runtimeId });
    } catch (error) {
      if (poller.signal.aborted) throw error;
      const tries = (this.put.get(handoverId)?.tries ?? 0) + 1;
      const final = error instanceof FormatError || tries >= MAX_ATTEMPTS;
      this.put.set(handoverId, {
        tries,
        until: final ? Infinity : this.parts.time.now() + backoff(tries),
      });
      const code = codeOf(error) ?? 'HANDLER_FAILED';
      events.emit('warning', { code, message: `${handoverId}: ${asError(error).message}` });
    }
  }

  private async restore(handover: Handover): Promise<RestoredMemory> {
    const { handoverId, agentId, checkpointId, checkpointHash, generation } = handover;
    const checkpoint = await checkpointOf(this.parts, checkpointId);
    const bytes = await fetchMemory(this.parts, checkpoint, requireKeyring(this.parts));
    let entries: RestoredMemory['entries'] = null;
    try {
      entries = entriesOf(bytes);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
    }
    const runtimeId = handover.targetRuntimeId;
    return { handoverId, agentId, runtimeId, generation, checkpointHash, entries, bytes };
  }
}
