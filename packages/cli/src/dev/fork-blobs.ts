/**
 * Copies the blobs of live orders from the origin's stores, so that the fork works without its origin
 * (docs/decisions/142-forks-and-traces.md).
 */
import { workScope, type WorkScope } from '@netd/formats';
import { NetClient, type DocumentOf } from '@netd/sdk';
import { Origins, Peers, Poller, RetryingClient } from '@netd/sdk/internal';

type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export interface CopyOptions {
  url: string;
  originUrl: string;
  trustedStores?: readonly string[];
  keep: (hash: string, bytes: Uint8Array) => Promise<void>;
  bounds?: Partial<typeof BOUNDS>;
}

export interface CopyReport {
  /** A sentence for the operator; null if no order names a blob. */
  sentence: string | null;
  /** False if a blob that an order needs was not copied. */
  isComplete: boolean;
}

/** Maximum blobs and bytes to copy. No request starts after `time` milliseconds. */
const BOUNDS = { blobs: 2_000, bytes: 128 * 1024 ** 2, time: 45_000 };
const LIVE = ['OPEN', 'ACCEPTED', 'VERIFYING'] as const;
/** Fields whose blobs may never have been stored. */
const OPTIONAL = /"(?:deliverable|evidence|reason)Hash":"([0-9a-f]{64})"/g;
const AT_ONCE = 8;
const EXAMPLES = 3;

export async function copyForkBlobs(options: CopyOptions): Promise<CopyReport> {
  const { url, originUrl, trustedStores = [], keep } = options;
  const bounds = { ...BOUNDS, ...options.bounds };
  const client = new NetClient({ url: originUrl, timeout: bounds.time });
  const end = AbortSignal.timeout(bounds.time);
  const retrying = new RetryingClient(client, new Poller(end), { emit: () => {} });
  const origins = new Origins(retrying, NO_SIGNER, { trustedOrigins: trustedStores });
  const peers = new Peers(retrying, origins);
  const seen = new Set<string>();
  const failed = new Map<string, string>();
  let blobs = 0;
  let bytes = 0;

  /** Returns null if this hash was requested before, or if no store has it and `isNeeded` is false. */
  const copy = async (
    hash: string,
    ownerId: string,
    isNeeded: boolean,
  ): Promise<Uint8Array | null> => {
    if (seen.has(hash)) return null;
    seen.add(hash);
    try {
      if (end.aborted) throw new Error(`${bounds.time / 1_000} seconds were over`);
      if (blobs >= bounds.blobs) throw new Error(`${bounds.blobs} blobs were copied`);
      const found = await peers.blobOf(hash, ownerId);
      if (found === null) throw new Error('no store of the origin has it');
      if (bytes + found.length > bounds.bytes) {
        throw new Error(`more than ${bounds.bytes} bytes would have been copied`);
      }
      blobs += 1;
      bytes += found.length;
      await keep(hash, found);
      return found;
    } catch (error) {
      if (isNeeded) failed.set(hash, (error as Error).message);
      return null;
    }
  };
  const copyOrder = async (order: WorkOrder): Promise<void> => {
    const { requesterId, workerId, scopeHash } = order;
    const scope = await copy(scopeHash, requesterId, true);
    for (const { hash } of scope ? inputsOf(scope, scopeHash) : []) {
      await copy(hash, requesterId, true);
    }
    // Agents need the metadata too, because it has the sender's key for sealed content.
    for (const agentId of [requesterId, workerId]) {
      const metadata = agentId === null ? null : await metadataOf(retrying, agentId);
      if (agentId !== null && metadata !== null) await copy(metadata, agentId, false);
    }
    for (const [, hash = ''] of JSON.stringify(order).matchAll(OPTIONAL)) {
      await copy(hash, workerId ?? requesterId, false);
    }
  };

  let orders = 0;
  await origins.refresh().catch(nothing);
  const fork = new NetClient({ url });
  for (const status of LIVE) {
    for await (const page of fork.pages('/v1/work-orders', { status })) {
      orders += page.orders.length;
      for (let i = 0; i < page.orders.length; i += AT_ONCE) {
        await Promise.all(page.orders.slice(i, i + AT_ONCE).map(copyOrder));
      }
    }
  }
  if (orders === 0) return { sentence: null, isComplete: true };
  const copied = `${blobs} blobs (${bytes} bytes) of ${orders} orders were copied from ${originUrl}`;
  if (failed.size === 0) return { sentence: copied, isComplete: true };
  const reasons = [...failed]
    .slice(0, EXAMPLES)
    .map(([hash, reason]) => `${hash.slice(0, 12)}…: ${reason}`);
  return {
    sentence: `${copied}, and ${failed.size} could not be (${reasons.join('; ')}). Their orders cannot be worked here`,
    isComplete: false,
  };
}

const NO_SIGNER = {
  keyId: 'nobody',
  sign: (): never => {
    throw new Error('a copy signs nothing');
  },
};

const nothing = (): null => null;

function inputsOf(bytes: Uint8Array, hash: string): WorkScope['inputs'] {
  try {
    return workScope.read(bytes, hash).inputs;
  } catch {
    return [];
  }
}

async function metadataOf(client: RetryingClient, agentId: string): Promise<string | null> {
  const agent = await client.find('/v1/agents/{agentId}', { agentId }).catch(nothing);
  const { metadataHash } = (agent?.beacon ?? {}) as { metadataHash?: unknown };
  return typeof metadataHash === 'string' ? metadataHash : null;
}
