import { findBlob } from '@netd/blobs/client';
import { hasBlob, requireClock, requireWorkable as requireWorkableOrder } from '@netd/sdk/internal';
import { FormatError, isSealed, workScope, type WorkScope } from '@netd/formats';
import { knownOrigins, type BlobOptions } from './blob-origins.ts';
import type { Acting } from './acting-agent.ts';
import { CommandError } from './command-error.ts';
import type { NodeOptions, OpenNode } from './node-address.ts';
import type { WorkOrder } from './work-order.ts';

/**
 * @returns null if it is sealed, because only its worker can read it
 * @throws CommandError SCOPE_MISSING, BLOB_UNAVAILABLE if a store that may have it is busy, or the code of
 * the broken rule
 */
export async function readScope(
  { client }: OpenNode,
  { scopeHash }: WorkOrder,
  options: BlobOptions & NodeOptions,
): Promise<WorkScope | null> {
  const { origins, reach } = await knownOrigins(client, options);
  const missing = (why: string): CommandError => new CommandError(why, 'SCOPE_MISSING');
  if (origins.length === 0)
    throw missing('no store for blobs is known that could have the scope; name one with --blobs');
  const bytes = await findBlob(scopeHash, origins, { reach });
  if (bytes === 'absent') throw missing(`none of ${origins.join(', ')} has the scope`);
  if (bytes === 'unknown')
    throw new CommandError(
      `a store that may have the scope is busy or does not answer; try again later (${origins.join(', ')})`,
      'BLOB_UNAVAILABLE',
      'unreachable',
    );
  try {
    return workScope.read(bytes, scopeHash);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (isSealed(bytes)) return null;
    throw new CommandError(`the scope cannot be used: ${error.message}`, error.code);
  }
}

/**
 * Refuses an order that could not be paid, or not delivered with this clock.
 * @param offer.scope null if it is sealed
 * @throws AgentError CLOCK_WRONG, ORDER_UNVERIFIABLE, INPUT_MISSING, BLOB_UNAVAILABLE
 */
export async function requireWorkable(
  { client, actor: { actorId: agentId } }: Acting,
  order: WorkOrder,
  { scope, blobs }: { scope: WorkScope | null; blobs: BlobOptions & NodeOptions },
): Promise<void> {
  const { origins, reach } = await knownOrigins(client, blobs);
  await requireClock(origins, client.url, reach);
  const peers = { hasBlob: (hash: string) => hasBlob(hash, origins, reach) };
  const retryingClient = { read: client.read.bind(client), proves: false, state: noProof };
  await requireWorkableOrder({ retryingClient, agentId, peers }, order, scope);
}

const noProof = (): never => {
  throw new Error('a command proves nothing by itself');
};
