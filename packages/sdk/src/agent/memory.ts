/**
 * What an agent remembers: a map of JSON values. The working copy is on disk with every change; checkpoints are encrypted,
 * kept by at least two places, and committed to the chain, so that another machine with the same key takes it up.
 */
import { openMemory, publicEncryptionKey, readManifest, writeMemory } from '@netd/formats';
import {
  bytesToHex,
  canonicalize,
  sha256Hex,
  utf8Bytes,
  utf8Text,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import type { DocumentOf } from '../reads.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { blobUri, originOfUri, type Place } from './origins.ts';
import { requireSecret, type AgentParts } from './parts.ts';

type Checkpoint = DocumentOf<'/v1/memory/checkpoints'>['checkpoints'][number];

interface Head extends JsonObject {
  /** 0 before the first checkpoint. */
  generation: number;
  checkpointHash: string | null;
}

/** What memory.json holds. */
interface WorkingCopy extends JsonObject {
  schema: 'NET-AGENT-MEMORY-COPY/1';
  entries: Record<string, JsonValue>;
  /** Changes ever made. */
  version: number;
  /** The version that the last checkpoint holds. */
  committed: number;
  /** The checkpoint that the copy comes from. */
  base: Head;
  /** One that is being committed; whether it was shows when the chain is asked. */
  pending: (Head & { version: number }) | null;
}

const FILE = 'memory.json';
/** Milliseconds of quiet before changes are checkpointed, and the longest that they wait. */
const QUIET = 5_000;
const LONGEST_WAIT = 60_000;
const LEAST_REPLICAS = 2;

export class Memory {
  private readonly parts: AgentParts;
  private copy: WorkingCopy;
  private saving: Promise<void> = Promise.resolve();
  private committing: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dirtySince = 0;

  private constructor(parts: AgentParts, copy: WorkingCopy) {
    this.parts = parts;
    this.copy = copy;
  }

  /**
   * The working copy of this machine where it goes on from the checkpoint of the chain, else that checkpoint.
   * @throws AgentError MEMORY_FORKED, MEMORY_UNKNOWN_GENERATION, MEMORY_REPLICA_LOST, STATE_INVALID; FormatError where a
   *   replica is not what was committed. Nothing is written over then.
   */
  static async load(parts: AgentParts): Promise<Memory> {
    const copy = await readCopy(parts);
    if (copy?.pending) await parts.outbox.settle(`memory/${copy.pending.generation}`);
    const latest = await latestCheckpoint(parts);
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

  get(key: string): JsonValue | undefined {
    const value = Object.hasOwn(this.copy.entries, key) ? this.copy.entries[key] : undefined;
    return structuredClone(value);
  }

  /** @throws AgentError MEMORY_VALUE_INVALID */
  set(key: string, value: unknown): void {
    let text: string;
    try {
      text = canonicalize({ [key]: value });
    } catch (error) {
      throw new AgentError('MEMORY_VALUE_INVALID', (error as Error).message);
    }
    const entry = JSON.parse(text) as Record<string, JsonValue>;
    this.copy.entries = { ...this.copy.entries, ...entry };
    this.changed();
  }

  delete(key: string): void {
    if (!Object.hasOwn(this.copy.entries, key)) return;
    const { [key]: _, ...entries } = this.copy.entries;
    this.copy.entries = entries;
    this.changed();
  }

  entries(): [string, JsonValue][] {
    return Object.entries(structuredClone(this.copy.entries));
  }

  /** The checkpoint that the memory goes on from; 0 before the first. */
  get generation(): number {
    return this.copy.base.generation;
  }

  /**
   * Checkpoints what has changed, now.
   * @throws AgentError MEMORY_NEEDS_REPLICAS, BLOB_NOT_STORED; NetError MEMORY_GENERATION_MISMATCH where another machine
   *   was faster
   */
  async commit(): Promise<void> {
    const turn = this.committing.catch(() => {}).then(() => this.commitNow());
    this.committing = turn;
    await turn;
  }

  /** What is changed is on disk. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.saving;
  }

  private changed(): void {
    const now = Date.now();
    if (this.copy.version === this.copy.committed) this.dirtySince = now;
    this.copy.version++;
    void this.save().catch(() => {});
    const wait = Math.min(QUIET, Math.max(0, this.dirtySince + LONGEST_WAIT - now));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.commitQuietly(), wait);
  }

  private async commitQuietly(): Promise<void> {
    const { pulse, events } = this.parts;
    try {
      await this.commit();
    } catch (error) {
      if (pulse.signal.aborted) return;
      const code = codeOf(error) ?? 'UNEXPECTED';
      events.emit('warning', { code, message: `the memory: ${(error as Error).message}` });
    }
  }

  private async commitNow(): Promise<void> {
    const { agentId, outbox, origins, events, reach } = this.parts;
    const { version, base } = this.copy;
    if (version === this.copy.committed) return;
    clearTimeout(this.timer);
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
        // The hash of the plaintext is public, and a small memory could be guessed.
        salt: bytesToHex(crypto.getRandomValues(new Uint8Array(16))),
      }),
    );
    const keys = [publicEncryptionKey(requireSecret(this.parts))];
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
      throw new AgentError('MEMORY_NEEDS_REPLICAS', 'no two places took all of it');
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
    await this.save();
    await outbox.forget(id);
    events.emit('checkpoint', { generation: facts.generation, checkpointHash: bundleHash });
  }

  /** One write after the other, each of what is so when its turn comes. */
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

/** Replicas need distinct providers. */
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

async function latestCheckpoint({ line, agentId }: AgentParts): Promise<Checkpoint | null> {
  const { checkpoints } = await line.read('/v1/memory/checkpoints', { agentId, limit: 1 });
  return checkpoints[0] ?? null;
}

/** Fetches and checks the memory that a checkpoint names. */
async function restore(
  parts: AgentParts,
  checkpoint: Checkpoint,
): Promise<Record<string, JsonValue>> {
  const { agentId, origins } = parts;
  const encryption = requireSecret(parts);
  const { generation, parentCheckpointHash, storageReplicas, checkpointHash } = checkpoint;
  const hints = storageReplicas.map(({ uri, bundleHash }) => originOfUri(uri, bundleHash));
  const bytes = await origins.fetch(checkpointHash, hints);
  if (bytes === null) throw new AgentError('MEMORY_REPLICA_LOST', checkpointHash);
  const expected = { agentId, generation, parentCheckpointHash, bundleHash: checkpointHash };
  const manifest = readManifest(bytes, expected);
  const plaintext = await openMemory(manifest, encryption, (hash) => origins.fetch(hash, hints));
  if (sha256Hex(plaintext) !== checkpoint.stateRoot) {
    throw new AgentError('MEMORY_REPLICA_LOST', 'the checkpoint names another state');
  }
  const { schema, entries } = JSON.parse(utf8Text(plaintext)) as {
    schema: string;
    entries: Record<string, JsonValue>;
  };
  if (schema !== 'NET-AGENT-MEMORY/1') {
    throw new AgentError('MEMORY_REPLICA_LOST', `it is a ${schema}, not a map of this API`);
  }
  return entries;
}
