/** The way of every signed envelope from HTTP into the chain. */
import type { Submission } from '@netd/ledger';
import type { JsonObject, OpenTransition } from '@netd/protocol';
import type { FastifyRequest } from 'fastify';
import type { CommittedEnvelope } from '../chain/admission.ts';
import { Refusal } from '../chain/refusal.ts';
import type { HttpContext } from './context.ts';

/** @throws Refusal as Admission.submit does */
export async function submitEnvelope(
  { node }: HttpContext,
  request: FastifyRequest,
  kind: Submission['kind'],
  screen?: (envelope: JsonObject) => OpenTransition | null,
): Promise<CommittedEnvelope> {
  if (!node.ready) throw new Refusal('NODE_NOT_READY', { retryAfter: 1 });
  return node.admission.submit(kind, bodyBytes(request), shareOf(request.ip), screen);
}

/** The body exactly as it arrived. */
export function bodyBytes(request: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Whose share of a limit an address counts against: IPv6 hosts own a /64. */
export function shareOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [left = '', right = ''] = address.split('::');
  const head = left.split(':').filter((group) => group !== '');
  const tail = right.split(':').filter((group) => group !== '');
  const gap = address.includes('::') ? Math.max(0, 8 - head.length - tail.length) : 0;
  const groups = [...head, ...Array.from({ length: gap }, () => '0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}
