/** Whether a deliverable is what an order asked for, as far as the house can tell. */
import { canonicalize, utf8Bytes, type JsonObject } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk';
import { originOf, type Content, type Named } from './content.ts';
import type { House } from './member.ts';
import type { Vote } from './findings.ts';

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export interface Verdict {
  /** UNJUDGEABLE blames the scope, not the work: the house accepts nothing that it cannot judge. */
  vote: Vote;
  /** Why, as canonical JSON: what the evidenceHash of a vote names. */
  reasons: Uint8Array;
}

export interface SearchScope {
  /** Whether origins that the parties name are asked too; the house's own alone answer at once. */
  everywhere: boolean;
  /** Whether a blob that no store has is taken for one that will not come. */
  isAbsenceFinal: boolean;
}

/**
 * Milliseconds of a first look, and of each later one. An order that needs longer than the first leaves its place in the
 * quick lane to others.
 */
const FIRST_LOOK = 1_000;
const LATER_LOOK = 60_000;

/**
 * Fetches and judges what was delivered.
 * @returns null if there is no verdict yet: judging takes too long, or a store that should have a blob fails, is busy or
 *   does not answer
 * @throws TypeError, NetError where the node does not answer: then nothing has been judged
 */
export async function judgeOrder(
  house: House,
  content: Content,
  order: WorkOrder,
  search: SearchScope,
): Promise<Verdict | null> {
  const { orderId, scopeHash, result } = order;
  if (!result) throw new Error(`the order ${orderId} has no result`);
  const { deliverableHash } = result;
  const because = (vote: Verdict['vote'], reason: string, more: JsonObject = {}): Verdict => {
    const document = { schema: 'HOUSE-VERDICT/1', orderId, deliverableHash, vote, reason, ...more };
    return { vote, reasons: utf8Bytes(canonicalize(document)) };
  };
  const named = search.everywhere ? await namedBy(content, order) : NONE;
  const [deliverable, scopeBytes] = await Promise.all([
    content.find(deliverableHash, named),
    content.find(scopeHash, named),
  ]);
  if (deliverable === 'unknown' || scopeBytes === 'unknown') return null;
  const isMissing = deliverable === 'absent' || scopeBytes === 'absent';
  if (isMissing && !(search.everywhere && search.isAbsenceFinal)) return null;
  if (deliverable === 'absent') {
    return because('REJECT', 'No store that should have the deliverable has it.');
  }
  if (scopeBytes === 'absent') {
    return because('UNJUDGEABLE', 'No store that should have the scope has it.');
  }
  const isOurs = house.isOurs(order.requesterId);
  const findings = await house.judging.findings(
    { scopeBytes, scopeHash, deliverable, isOurs },
    search.everywhere ? LATER_LOOK : FIRST_LOOK,
  );
  return findings && because(findings.vote, findings.reason, findings.more);
}

const NONE: Named = { origins: [], certain: true };

async function namedBy(content: Content, order: WorkOrder): Promise<Named> {
  const { requesterId, workerId, result } = order;
  const parties = [requesterId, ...(workerId === null ? [] : [workerId])];
  const named = await Promise.all(parties.map((agentId) => content.namedBy(agentId)));
  const hint = originOf(result?.evidence?.['uri'], result?.deliverableHash ?? '');
  return {
    origins: [...named.flatMap(({ origins }) => origins), ...hint],
    certain: named.every(({ certain }) => certain),
  };
}
