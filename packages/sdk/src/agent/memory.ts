/**
 * An agent's memory: a map of JSON values, written to disk with every change. Checkpoints are encrypted, kept
 * by at least two stores and committed to the chain, so another machine with the same key can resume.
 */
import { publicEncryptionKey, writeMemory, type EncryptionKey } from '@netd/formats';
import {
  bytesToHex,
  canonicalize,
  utf8Bytes,
  utf8Text,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import { BOUNDS, type Bounds } from '../bounds.ts';
import { requireOptions } from '../option-names.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { requireText } from './arguments.ts';
import { exactValue } from './exact-value.ts';
import { Handover, HANDOVER_OPTIONS, type HandedOver, type HandoverOptions } from './handover.ts';
import {
  checkpointOf,
  entriesOf,
  fetchManifest,
  fetchMemory,
  memoryRecordOf,
  type MemoryRecord,
} from './memory-checkpoint.ts';
import { blobUri, type Place } from './origins.ts';
import { boundedCall, requireKeyring, requireSecret, type AgentParts } from './parts.ts';

interface Head extends JsonObject {
  /** 0 before the first checkpoint. */
  generation: number;
  checkpointHash: string | null;
}

interface WorkingCopy extends JsonObject {
  schema: 'NET-AGENT-MEMORY-COPY/1';
  entries: Record<string, JsonValue>;
  version: number;
  committed: number;
  base: Head;
  /** The checkpoint in flight. Only the chain knows if it was committed. */
  pending: (Head & { version: number }) | null;
}

const FILE = 'memory.json';
/** Milliseconds without changes before a checkpoint, and its longest delay. */
const QUIET = 5_000;
const LONGEST_WAIT = 60_000;
const LEAST_REPLICAS = 2;
const RETRIED = new Set(['BLOB_NOT_STORED', 'BLOB_ORIGIN_UNKNOWN', 'MEMORY_NEEDS_REPLICAS']);

/** Values by key, which survive restarts. A commit puts their hash on the chain, and sealed bytes in stores. */
export class Memory {
  private readonly parts: AgentParts;
  private copy: WorkingCopy;
  private saving: Promise<void> = Promise.resolve();
  private committing: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Milliseconds since 1970 of the first change without a checkpoint; null without such a change. */
  private dirtySince: number | null;
  /** Consecutive failed checkpoints. The next automatic one waits until `notBefore`. */
  private failures = 0;
  private notBefore = 0;
  private readonly handover: Handover;
  private closed: 'MEMORY_MOVING' | 'MEMORY_ELSEWHERE' | null = null;

  private constructor(parts: AgentParts, copy: WorkingCopy) {
    this.parts = parts;
    this.copy = copy;
    this.dirtySince = copy.version === copy.committed ? null : Date.now();
    if (this.dirtySince !== null) this.checkpointAfter(QUIET);
    this.handover = new Handover(parts);
  }

  /**
   * Returns this machine's copy if it builds on the chain's checkpoint, otherwise restores that checkpoint.
   * Never overwrites the copy on an error.
   * @throws AgentError MEMORY_FORKED, MEMORY_UNKNOWN_GENERATION, MEMORY_REPLICA_LOST, MEMORY_ELSEWHERE,
   *   STATE_INVALID; FormatError
   */
  static async load(parts: AgentParts): Promise<Memory> {
    const memory = await Memory.takeUp(parts);
    if (await memory.handover.isOpen()) memory.closed = 'MEMORY_MOVING';
    return memory;
  }

  private static async takeUp(parts: AgentParts): Promise<Memory> {
    const copy = await readCopy(parts);
    if (copy?.pending) await parts.outbox.settle(`memory/${copy.pending.generation}`);
    const latest = await memoryRecordOf(parts, parts.agentId);
    requireHere(parts, latest);
    const head: Head = latest
      ? { generation: latest.generation, checkpointHash: latest.checkpointHash }
      : { generation: 0, checkpointHash: null };
    if (copy?.pending && isSame(copy.pending, head)) {
      copy.base = head;
      copy.committed = copy.pending.version;
    }
    if (copy && isSame(copy.base, head)) {
      copy.pending = null;
      return new Memory(parts, copy);
    }
    if (copy && copy.base.generation >= head.generation) {
      const what = `here ${copy.base.generation}, on the chain ${head.generation}`;
      throw new AgentError('MEMORY_UNKNOWN_GENERATION', what);
    }
    if (copy && copy.version > copy.committed) {
      const what = `changes since generation ${copy.base.generation} here, the chain has ${head.generation}`;
      throw new AgentError('MEMORY_FORKED', what);
    }
    const entries = latest ? await restore(parts, latest) : {};
    const version = copy?.version ?? 0;
    const fresh: WorkingCopy = {
      schema: 'NET-AGENT-MEMORY-COPY/1',
      entries,
      version,
      committed: version,
      base: head,
      pending: null,
    };
    const memory = new Memory(parts, fresh);
    if (latest) await memory.save();
    return memory;
  }

  /** Returns the value of a key, or `undefined`. */
  get(key: string): JsonValue | undefined {
    const value = Object.hasOwn(this.copy.entries, key) ? this.copy.entries[key] : undefined;
    return structuredClone(value);
  }

  /** @throws AgentError MEMORY_VALUE_INVALID, MEMORY_MOVING, MEMORY_ELSEWHERE, AGENT_STOPPED */
  set(key: string, value: unknown): void {
    this.requireOpen();
    requireText('key', key);
    if (!key.isWellFormed()) throw new AgentError('MEMORY_VALUE_INVALID', JSON.stringify(key));
    const entry = exactValue(value, (...why) => new AgentError('MEMORY_VALUE_INVALID', ...why));
    this.copy.entries = { ...this.copy.entries, [key]: entry };
    this.changed();
  }

  /** @throws AgentError MEMORY_MOVING, MEMORY_ELSEWHERE, AGENT_STOPPED */
  delete(key: string): void {
    this.requireOpen();
    if (!Object.hasOwn(this.copy.entries, key)) return;
    const { [key]: _, ...entries } = this.copy.entries;
    this.copy.entries = entries;
    this.changed();
  }

  /** Returns all keys with their values. */
  entries(): [string, JsonValue][] {
    return Object.entries(structuredClone(this.copy.entries));
  }

  /** Number of the latest checkpoint; 0 before the first. */
  get generation(): number {
    return this.copy.base.generation;
  }

  /**
   * Checkpoints all changes now.
   * @throws AgentError MEMORY_NEEDS_REPLICAS, BLOB_NOT_STORED, MEMORY_ELSEWHERE; NetError
   *   MEMORY_GENERATION_MISMATCH if another machine was faster
   */
  async commit(bounds: Bounds = {}): Promise<void> {
    await this.bounded('commit', bounds, () =>
      this.inTurn(async () => {
        if (this.copy.version !== this.copy.committed) await this.commitNow([]);
      }),
    );
  }

  /** A checkpoint or move that has begun goes on after the call, because the next one builds on it. */
  private async bounded<Result>(
    name: string,
    bounds: Bounds,
    call: () => Promise<Result>,
  ): Promise<Result> {
    requireOptions(name, bounds, BOUNDS);
    return boundedCall(this.parts, { name }, bounds, call);
  }

  /**
   * Moves the memory to another agent's runtime. Afterwards it is read-only here. Call it again to resume. If
   * it throws, the memory stays here.
   * @throws AgentError HANDOVER_OPEN, HANDOVER_ABORTED, HANDOVER_TIMEOUT, RECIPIENT_HAS_NO_KEY and the errors
   *   of `commit`; NetError
   */
  async handOver(options: HandoverOptions): Promise<HandedOver> {
    requireOptions('handOver', options, HANDOVER_OPTIONS);
    requireText('providerId', options.providerId);
    requireText('runtimeId', options.runtimeId);
    return this.bounded('handOver', { signal: options.signal }, () => this.handedOver(options));
  }

  private async handedOver(options: HandoverOptions): Promise<HandedOver> {
    if (this.closed === 'MEMORY_ELSEWHERE') throw new AgentError(this.closed);
    this.closed = 'MEMORY_MOVING';
    try {
      const memory = {
        generation: () => this.generation,
        checkpointFor: (key: EncryptionKey) => this.inTurn(() => this.checkpointFor(key)),
      };
      const moved = await this.handover.run(memory, options);
      this.closed = 'MEMORY_ELSEWHERE';
      return moved;
    } catch (error) {
      if (!this.parts.poller.signal.aborted && !(await this.handover.isOpen())) this.closed = null;
      throw error;
    }
  }

  /**
   * Cancels an open handover.
   * @throws NetError
   */
  async keep(bounds: Bounds = {}): Promise<void> {
    await this.bounded('keep', bounds, () => this.handover.cancel());
    if (this.closed === 'MEMORY_MOVING') this.closed = null;
  }

  /** Waits until all values are on disk. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.saving;
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.committing.catch(() => {}).then(work);
    this.committing = turn;
    return turn;
  }

  private async checkpointFor(key: EncryptionKey): Promise<string> {
    const latest = await memoryRecordOf(this.parts, this.parts.agentId);
    const isCommitted =
      this.copy.version === this.copy.committed &&
      latest?.checkpointHash === this.copy.base.checkpointHash;
    if (latest && isCommitted) {
      const checkpoint = await checkpointOf(this.parts, latest.checkpointId);
      const { recipients } = (await fetchManifest(this.parts, checkpoint)).key;
      if (recipients.some(({ header }) => header.kid === key.kid)) return latest.checkpointHash;
    }
    return this.commitNow([key]);
  }

  private requireOpen(): void {
    this.parts.poller.signal.throwIfAborted();
    if (this.closed === 'MEMORY_MOVING') throw new AgentError('MEMORY_MOVING');
    if (this.closed) throw new AgentError('MEMORY_ELSEWHERE');
  }

  private changed(): void {
    const now = Date.now();
    this.dirtySince ??= now;
    this.copy.version++;
    void this.save().catch(() => {});
    this.checkpointAfter(Math.min(QUIET, Math.max(0, this.dirtySince + LONGEST_WAIT - now)));
  }

  private checkpointAfter(milliseconds: number): void {
    clearTimeout(this.timer);
    const wait = Math.max(milliseconds, this.notBefore - Date.now());
    this.timer = setTimeout(() => void this.commitQuietly(), wait);
  }

  private async commitQuietly(): Promise<void> {
    const { poller, events } = this.parts;
    try {
      await this.commit();
      this.failures = 0;
    } catch (error) {
      if (poller.signal.aborted) return;
      events.warn(error, 'the memory');
      if (!RETRIED.has(codeOf(error) ?? '')) return;
      const pause = QUIET * 2 ** Math.min(this.failures++, 4);
      this.notBefore = Date.now() + pause;
      events.emit('waiting', { for: 'stores that take the memory' });
      this.checkpointAfter(pause);
    }
  }

  /** @param others further recipients, such as the target of a handover */
  private async commitNow(others: readonly EncryptionKey[]): Promise<string> {
    const { agentId, outbox, origins, events, reach } = this.parts;
    const { version, base } = this.copy;
    clearTimeout(this.timer);
    // Another machine may have moved the memory meanwhile.
    requireHere(this.parts, await memoryRecordOf(this.parts, agentId));
    await origins.known(LEAST_REPLICAS);
    let places: readonly Place[] = distinct(origins.places());
    if (places.length < LEAST_REPLICAS) {
      throw new AgentError('MEMORY_NEEDS_REPLICAS', `${places.length} known`);
    }
    const facts = {
      agentId,
      generation: base.generation + 1,
      parentCheckpointHash: base.checkpointHash,
    };
    const plaintext = utf8Bytes(
      canonicalize({
        schema: 'NET-AGENT-MEMORY/1',
        entries: this.copy.entries,
        // The plaintext's hash is public. Without salt, a small memory could be guessed.
        salt: bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
      }),
    );
    const keys = [publicEncryptionKey(requireSecret(this.parts)), ...others];
    const { bundleHash, manifest } = await writeMemory(
      plaintext,
      facts,
      keys,
      async ({ bytes }) => {
        const { places: stored } = await origins.put(bytes, LEAST_REPLICAS);
        places = places.filter((one) => stored.some(({ origin }) => origin === one.origin));
      },
    );
    if (places.length < LEAST_REPLICAS) {
      throw new AgentError('MEMORY_NEEDS_REPLICAS', 'no two stores took all of it');
    }
    this.copy.pending = { generation: facts.generation, checkpointHash: bundleHash, version };
    await this.save();
    reach('memory.sealed');
    const id = `memory/${facts.generation}`;
    await outbox.act(id, 'commitMemoryCheckpoint', {
      ...facts,
      checkpointId: `memory-${agentId.slice(0, 64)}-${facts.generation}-${bundleHash.slice(0, 16)}`,
      checkpointHash: bundleHash,
      stateRoot: manifest.stateRoot,
      chunksRoot: manifest.chunksRoot,
      serializer: 'NET-PORTABLE-MEMORY/1',
      encryption: manifest.encryption,
      byteLength: manifest.byteLength,
      chunkCount: manifest.chunks.length,
      barrier: { lastInputSequence: version, lastOutputSequence: facts.generation },
      storageReplicas: places.map(({ origin, providerId }) => ({
        providerId,
        uri: blobUri(origin, bundleHash),
        bundleHash,
      })),
    });
    reach('memory.committed');
    this.copy.base = { generation: facts.generation, checkpointHash: bundleHash };
    this.copy.committed = version;
    this.copy.pending = null;
    // Changes made during the commit wait for the next checkpoint from now on.
    this.dirtySince = this.copy.version === version ? null : Date.now();
    await this.save();
    await outbox.forget(id);
    events.emit('checkpoint', { generation: facts.generation, checkpointHash: bundleHash });
    return bundleHash;
  }

  private async save(): Promise<void> {
    const turn = this.saving
      .catch(() => {})
      .then(() => this.parts.state.put(FILE, utf8Bytes(canonicalize(this.copy))));
    this.saving = turn;
    await turn;
  }
}

const isSame = (a: Head, b: Head): boolean =>
  a.generation === b.generation && a.checkpointHash === b.checkpointHash;

function distinct(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [place.providerId, place])).values()];
}

async function readCopy({ state }: AgentParts): Promise<WorkingCopy | null> {
  const bytes = await state.get(FILE);
  if (bytes === null) return null;
  try {
    const copy = JSON.parse(utf8Text(bytes)) as WorkingCopy;
    if (copy.schema === 'NET-AGENT-MEMORY-COPY/1') return copy;
  } catch {
    // refused below
  }
  throw new AgentError('STATE_INVALID', FILE);
}

function requireHere({ runtime }: Pick<AgentParts, 'runtime'>, record: MemoryRecord | null): void {
  const active = record?.activeRuntime;
  if (!active || active.runtimeId === runtime) return;
  throw new AgentError('MEMORY_ELSEWHERE', `${active.runtimeId} of ${active.providerId}`);
}

async function restore(
  parts: AgentParts,
  { checkpointId }: MemoryRecord,
): Promise<Record<string, JsonValue>> {
  const checkpoint = await checkpointOf(parts, checkpointId);
  try {
    return entriesOf(await fetchMemory(parts, checkpoint, requireKeyring(parts)));
  } catch (error) {
    if (codeOf(error) !== 'SEALED_NOT_FOR_KEY') throw error;
    const detail = `${parts.agentId}.encryption.json: the memory is sealed to another key`;
    throw new AgentError('ENCRYPTION_KEY_MISSING', detail, { cause: error });
  }
}
