/**
 * Moves an agent's memory to another runtime. It is sealed to that runtime, restored there, then finalized.
 * Until then the memory stays here.
 */
import type { EncryptionKey } from '@netd/formats';
import { bytesToHex, canonicalize, utf8Bytes, utf8Text, type JsonObject } from '@netd/protocol';
import type { DocumentOf } from '../reads.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { BOUNDS, type Bounds } from '../bounds.ts';
import type { OptionNames } from '../option-names.ts';
import type { AgentParts } from './parts.ts';

/** The runtime that a memory moves to. */
export interface HandoverOptions extends Bounds {
  /** The agent that offers the runtime. */
  providerId: string;
  /** Name of its runtime. */
  runtimeId: string;
  /** Milliseconds until the move is canceled on the chain; default ten minutes. */
  timeout?: number | undefined;
}

export const HANDOVER_OPTIONS: OptionNames<HandoverOptions> = {
  providerId: true,
  runtimeId: true,
  ...BOUNDS,
};

/** A memory that a runtime has taken over. */
export interface HandedOver {
  /** Id of the handover on the chain. */
  handoverId: string;
  /** The agent that offers the runtime. */
  providerId: string;
  /** Name of its runtime. */
  runtimeId: string;
  /** Number of the checkpoint that moved. */
  generation: number;
}

export interface MovingMemory {
  generation: () => number;
  checkpointFor: (key: EncryptionKey) => Promise<string>;
}

interface Move extends JsonObject {
  schema: 'NET-AGENT-HANDOVER/1';
  payload: {
    agentId: string;
    handoverId: string;
    checkpointHash: string;
    targetProviderId: string;
    targetRuntimeId: string;
    expiresAtHeight: number;
  };
}

type Registered = DocumentOf<'/v1/memory/handovers'>['handovers'][number];

const FILE = 'handover.json';
const TIMEOUT = 600_000;
const LIFETIME = 2_000;
const LOOK = 5_000;

export class Handover {
  private readonly parts: AgentParts;

  constructor(parts: AgentParts) {
    this.parts = parts;
  }

  async isOpen(): Promise<boolean> {
    const move = await this.read();
    if (!move) return false;
    const { handoverId } = move.payload;
    await this.parts.outbox.settle(idOf('prepare', handoverId));
    const registered = await this.find(handoverId);
    // Forget a handover that was never prepared, so that the move starts again.
    const open = registered?.status === 'PREPARED' || registered?.status === 'TARGET_RESTORED';
    if (!open) await this.forget(handoverId);
    return open;
  }

  async run(memory: MovingMemory, options: HandoverOptions): Promise<HandedOver> {
    const { outbox, reach, events } = this.parts;
    const { providerId, runtimeId, timeout = TIMEOUT } = options;
    const deadline = Date.now() + timeout;
    await this.parts.watch();
    const move = (await this.read()) ?? (await this.begin(memory, options));
    const { handoverId, targetProviderId, targetRuntimeId } = move.payload;
    if (targetProviderId !== providerId || targetRuntimeId !== runtimeId) {
      throw new AgentError('HANDOVER_OPEN', `to ${targetRuntimeId} of ${targetProviderId}`);
    }
    try {
      await outbox.act(idOf('prepare', handoverId), 'prepareMemoryHandover', move.payload);
    } catch (error) {
      await this.forgetUnlessStopped(handoverId);
      throw error;
    }
    reach('handover.prepared');
    await this.untilRestored(handoverId, deadline, timeout);
    await this.finalize(handoverId);
    reach('handover.finalized');
    await this.forget(handoverId);
    const moved = { handoverId, providerId, runtimeId, generation: memory.generation() };
    events.emit('moved', moved);
    return moved;
  }

  /**
   * Cancels the handover.
   * @throws NetError MEMORY_HANDOVER_STATUS if it was just finalized
   */
  async cancel(): Promise<void> {
    const move = await this.read();
    if (move && (await this.isOpen())) await this.abort(move.payload.handoverId);
  }

  private async begin(
    memory: MovingMemory,
    { providerId, runtimeId }: HandoverOptions,
  ): Promise<Move> {
    const { agentId, retryingClient, peers, state, reach } = this.parts;
    const metadata = await peers.metadataOf(providerId);
    if (!metadata) throw new AgentError('RECIPIENT_HAS_NO_KEY', providerId);
    const checkpointHash = await memory.checkpointFor(metadata.encryptionKey);
    const height = await retryingClient.height();
    const move: Move = {
      schema: 'NET-AGENT-HANDOVER/1',
      payload: {
        agentId,
        handoverId: `move-${bytesToHex(crypto.getRandomValues(new Uint8Array(12)))}`,
        checkpointHash,
        targetProviderId: providerId,
        targetRuntimeId: runtimeId,
        expiresAtHeight: height + LIFETIME,
      },
    };
    await state.put(FILE, utf8Bytes(canonicalize(move)));
    reach('handover.noted');
    return move;
  }

  private async untilRestored(
    handoverId: string,
    deadline: number,
    timeout: number,
  ): Promise<void> {
    const { poller } = this.parts;
    for (;;) {
      poller.signal.throwIfAborted();
      const { wakes } = poller;
      const registered = await this.find(handoverId);
      if (registered?.status === 'TARGET_RESTORED' || registered?.status === 'FINALIZED') return;
      if (registered?.status === 'ABORTED') {
        await this.forget(handoverId);
        throw new AgentError('HANDOVER_ABORTED', `${handoverId}, ${registered.abortCause}`);
      }
      const left = deadline - Date.now();
      if (left <= 0) {
        await this.abort(handoverId);
        throw new AgentError('HANDOVER_TIMEOUT', `${timeout} ms`);
      }
      await poller.wait(Math.min(left, LOOK), wakes);
    }
  }

  private async finalize(handoverId: string): Promise<void> {
    const { agentId, outbox } = this.parts;
    try {
      const payload = { agentId, handoverId };
      await outbox.act(idOf('finalize', handoverId), 'finalizeMemoryHandover', payload);
    } catch (error) {
      if ((await this.find(handoverId))?.status === 'FINALIZED') return;
      // Abort, because the target restored an old copy.
      if (codeOf(error) === 'MEMORY_HANDOVER_STALE') await this.abort(handoverId);
      throw error;
    }
  }

  private async abort(handoverId: string): Promise<void> {
    const { agentId, outbox } = this.parts;
    const payload = { agentId, handoverId };
    await outbox.act(idOf('abort', handoverId), 'abortMemoryHandover', payload);
    await this.forget(handoverId);
  }

  private async find(handoverId: string): Promise<Registered | null> {
    const { retryingClient, agentId } = this.parts;
    const pages = retryingClient.pages('/v1/memory/handovers', { agentId, limit: 20 });
    for await (const { handovers } of pages) {
      const found = handovers.find((one) => one.handoverId === handoverId);
      if (found) return found;
    }
    return null;
  }

  private async read(): Promise<Move | null> {
    const bytes = await this.parts.state.get(FILE);
    if (bytes === null) return null;
    try {
      const move = JSON.parse(utf8Text(bytes)) as Move;
      if (move.schema === 'NET-AGENT-HANDOVER/1') return move;
    } catch {
      // refused below
    }
    throw new AgentError('STATE_INVALID', FILE);
  }

  /** Forgets the handover, unless the agent's stop interrupted it: it may have begun. */
  private async forgetUnlessStopped(handoverId: string): Promise<void> {
    if (!this.parts.poller.signal.aborted) await this.forget(handoverId);
  }

  private async forget(handoverId: string): Promise<void> {
    const { state, outbox } = this.parts;
    await state.delete(FILE);
    for (const step of ['prepare', 'finalize', 'abort'] as const) {
      await outbox.forget(idOf(step, handoverId));
    }
  }
}

const idOf = (step: 'prepare' | 'finalize' | 'abort', handoverId: string): string =>
  `handover/${step}/${handoverId}`;
