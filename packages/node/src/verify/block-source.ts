/** Where a verification gets its blocks: a database, or a node's HTTP interface. */
import {
  canonicalize,
  envelopeKind,
  eventHash,
  hashValue,
  merkleRoot,
  type BlockHeader,
  type FinalityCertificate,
  type Genesis,
  type JsonObject,
} from '@netd/protocol';
import type { Snapshot } from '../store/snapshot.ts';

export interface SourceBlock {
  header: BlockHeader;
  certificate: FinalityCertificate;
  /** Canonical JSON of the envelopes, in order. */
  transitions: string[];
}

export interface BlockSource {
  genesis: Genesis;
  /** The last height to verify. */
  height: number;
  /** @throws Error where the block cannot be had or read */
  block(height: number): Promise<SourceBlock>;
}

export function snapshotSource(snapshot: Snapshot, genesis: Genesis): BlockSource {
  return {
    genesis,
    height: snapshot.height,
    block: async (height) => {
      const block = snapshot.blockAt(height);
      if (!block) throw new Error('the block is missing');
      return { ...block, transitions: snapshot.transitionsOf(height).map(({ text }) => text) };
    },
  };
}

const isHeight = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isObject = (value: unknown): boolean => value !== null && typeof value === 'object';

/** Blocks asked for ahead of the one that is executed. */
const DOWNLOADS_AHEAD = 16;
const TIMEOUT_MILLISECONDS = 30_000;

/**
 * The blocks of a node, downloaded a few ahead.
 * @throws Error where no node answers at the address
 */
export async function urlSource(url: string): Promise<BlockSource> {
  const base = url.replace(/\/+$/, '');
  const get = async <Document>(path: string): Promise<Document> => {
    let response: Response;
    try {
      response = await fetch(base + path, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    } catch {
      throw new Error(`no node answers at ${base}`);
    }
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    const document = (await response.json().catch(() => null)) as Document | null;
    if (document === null || typeof document !== 'object') {
      throw new Error(`${path} answers what is no JSON document`);
    }
    return document;
  };
  const { height } = await get<{ height: unknown }>('/v1/network');
  if (!isHeight(height)) {
    throw new Error(`the node says height ${JSON.stringify(height)}, which is none`);
  }
  const genesis = await get<Genesis>('/v1/genesis');
  const ahead = new Map<number, Promise<SourceBlock>>();
  const download = async (at: number): Promise<SourceBlock> => {
    const block = await get<{
      header: BlockHeader;
      certificate: FinalityCertificate;
      transitions: { index: number; kind: string; transitionHash: string; envelope: JsonObject }[];
      events: {
        id: string;
        type: string;
        transitionIndex: number;
        data: Record<string, unknown>;
      }[];
    }>(`/v1/blocks/${at}`);
    const { header, certificate, transitions, events } = block;
    if (![header, certificate].every(isObject) || ![transitions, events].every(Array.isArray)) {
      throw new Error('the block is not of the shape it should have');
    }
    // What is told beside the envelopes is for readers who do not replay: it must be true all the same.
    for (const [index, told] of transitions.entries()) {
      const { envelope } = told;
      const kind = envelopeKind(envelope);
      const hash = hashValue(envelope);
      if (told.index !== index || told.kind !== kind || told.transitionHash !== hash) {
        throw new Error(
          `transition ${index} is told under an index, kind or hash that is not its own`,
        );
      }
    }
    const isListed = events.every(({ id }, index) => id === `${at}.${index}`);
    if (!isListed || merkleRoot(events.map((event) => eventHash(event))) !== header.eventsRoot) {
      throw new Error('the events are not those of the header');
    }
    return {
      header: block.header,
      certificate: block.certificate,
      transitions: block.transitions.map(({ envelope }) => canonicalize(envelope)),
    };
  };
  return {
    genesis,
    height,
    block: (at) => {
      for (let next = at; next <= Math.min(height, at + DOWNLOADS_AHEAD); next++) {
        if (ahead.has(next)) continue;
        const promise = download(next);
        // Whoever asks for it hears of the failure.
        promise.catch(() => {});
        ahead.set(next, promise);
      }
      const block = ahead.get(at);
      ahead.delete(at);
      return block ?? download(at);
    },
  };
}
