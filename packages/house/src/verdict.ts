/** Whether a deliverable is what an order asked for: by its acceptance, else by whether it is there and as promised. */
import { FormatError, judge, workScope, type WorkScope } from '@netd/formats';
import { canonicalize, utf8Bytes, utf8Text, type JsonObject } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk';
import { originOf, type Content } from './content.ts';
import { namesItsSubject } from './jobs.ts';
import type { House } from './member.ts';
import { pause } from './pause.ts';
import { digestOf } from './replay.ts';

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export interface Verdict {
  vote: 'ACCEPT' | 'REJECT';
  /** Why, as canonical JSON: what the evidenceHash of a vote names. */
  reasons: Uint8Array;
}

/** Milliseconds between the tries to fetch a deliverable: its worker may still be storing it. */
const RETRIES = [1_000, 2_000, 4_000, 8_000];
/** Milliseconds for all of them. */
const LONGEST_FETCH = 20_000;

/**
 * Fetches and judges what was delivered.
 * @throws TypeError, NetError where the node does not answer: then nothing has been judged
 */
export async function judgeOrder(
  house: House,
  content: Content,
  order: WorkOrder,
): Promise<Verdict> {
  const { orderId, scopeHash, result } = order;
  if (!result) throw new Error(`the order ${orderId} has no result`);
  const { deliverableHash } = result;
  const origins = await originsOf(content, order);
  const because = (vote: Verdict['vote'], judgement: JsonObject): Verdict => ({
    vote,
    reasons: utf8Bytes(
      canonicalize({ schema: 'HOUSE-VERDICT/1', orderId, deliverableHash, vote, ...judgement }),
    ),
  });
  const deliverable = await fetchPatiently(house, order, () =>
    content.fetch(deliverableHash, origins),
  );
  if (deliverable === null) {
    return because('REJECT', { reason: 'No known place has the deliverable.' });
  }
  const scopeBytes = await fetchPatiently(house, order, () => content.fetch(scopeHash, origins));
  // Ours are never sealed, and lie at our own places: where those are kept busy, nobody is paid for whatever it is.
  if (scopeBytes === null && house.isOurs(order.requesterId)) {
    throw new Error(`the scope of ${orderId}, which is our own, cannot be had now`);
  }
  const scope = readScope(scopeBytes, scopeHash);
  if (scope === null) {
    return because('ACCEPT', {
      reason: 'The deliverable is there. Its scope is sealed, or kept where nobody else sees it.',
    });
  }
  const judgement = await judge(scope, deliverable, {
    replay: (range) => digestOf(house.client, range),
  });
  const { verdict } = judgement;
  const promised =
    verdict === 'open'
      ? isAsPromised(scope, deliverable) &&
        (!house.isOurs(order.requesterId) || namesItsSubject(scope, deliverable))
      : verdict === 'met';
  return because(promised ? 'ACCEPT' : 'REJECT', {
    verdict,
    conditions: judgement.conditions,
    ...(verdict === 'open'
      ? {
          reason: promised
            ? 'It is there, and is what was promised.'
            : 'It is not what was promised.',
        }
      : {}),
  });
}

async function originsOf(content: Content, order: WorkOrder): Promise<string[]> {
  const { requesterId, workerId, result } = order;
  const parties = [requesterId, ...(workerId === null ? [] : [workerId])];
  const named = await Promise.all(parties.map((agentId) => content.originsOf(agentId)));
  const hint = originOf(result?.evidence?.['uri'], result?.deliverableHash ?? '');
  return [...named.flat(), ...hint];
}

/** Tries again for a while, and not beyond half of what is left of the time to vote. */
async function fetchPatiently(
  { signal }: House,
  { deadline }: WorkOrder,
  fetch: () => Promise<Uint8Array | null>,
): Promise<Uint8Array | null> {
  const now = Date.now();
  // What origins take to answer counts too: a stranger's must not keep a verifier from others.
  const end = now + Math.min(deadline ? (Date.parse(deadline.time) - now) / 2 : 0, LONGEST_FETCH);
  for (const wait of [...RETRIES, null]) {
    const bytes = await fetch();
    if (bytes !== null || wait === null || Date.now() + wait > end) return bytes;
    await pause(wait, signal);
  }
  return null;
}

function readScope(bytes: Uint8Array | null, hash: string): WorkScope | null {
  try {
    return bytes && workScope.read(bytes, hash);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/** Its size has been judged; a text is one, and JSON is JSON. */
function isAsPromised({ deliverable: { mediaType } }: WorkScope, bytes: Uint8Array): boolean {
  const isJson = mediaType === 'application/json' || mediaType.endsWith('+json');
  if (!isJson && !mediaType.startsWith('text/')) return bytes.length > 0;
  try {
    const text = utf8Text(bytes);
    if (isJson) JSON.parse(text);
    return text !== '';
  } catch {
    return false;
  }
}
