import { canonicalize, utf8Bytes, type JsonObject } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk';
import { originOf, type Content, type Named } from './content.ts';
import type { House } from './member.ts';
import type { Vote } from './findings.ts';

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export interface Verdict {
  /** UNJUDGEABLE blames the scope. The house accepts nothing that it cannot judge. */
  vote: Vote;
  reasons: Uint8Array;
  /** True if the deliverable fails a condition that any program can check. */
  isUnmet: boolean;
}

export interface SearchScope {
  /** True to search the parties' origins too, not only the house's own stores. */
  everywhere: boolean;
  isAbsenceFinal: boolean;
}

/** Time limits in milliseconds of the first attempt and later ones. Slow orders must leave the quick lane. */
const FIRST_LOOK = 1_000;
const LATER_LOOK = 60_000;

/**
 * @returns null if there is no verdict yet, because judging takes too long or a store fails
 * @throws TypeError, NetError if the node does not answer
 */
export async function judgeOrder(
  house: House,
  content: Content,
  order: WorkOrder,
  search: SearchScope,
): Promise<Verdict | null> {
  const { orderId, scopeHash, acceptanceHash, result } = order;
  if (!result) throw new Error(`the order ${orderId} has no result`);
  const { deliverableHash } = result;
  const because = (vote: Verdict['vote'], reason: string, more: JsonObject = {}): Verdict => {
    const document = { schema: 'HOUSE-VERDICT/1', orderId, deliverableHash, vote, reason, ...more };
    const isUnmet = more['verdict'] === 'unmet';
    return { vote, reasons: utf8Bytes(canonicalize(document)), isUnmet };
  };
  const named = search.everywhere ? await namedBy(content, order) : NONE;
  const [deliverable, scopeBytes] = await Promise.all([
    content.find(deliverableHash, named),
    content.find(scopeHash, named),
  ]);
  if (deliverable === 'unknown' || scopeBytes === 'unknown') return null;
  const isMissing = deliverable === 'absent' || scopeBytes === 'absent';
  if (isMissing && !(search.everywhere && search.isAbsenceFinal)) return null;
  if (deliverable === 'absent' && acceptanceHash !== undefined) {
    return because(
      'UNJUDGEABLE',
      'No store that should have the deliverable has it, but a proof may show that it meets the conditions.',
    );
  }
  if (deliverable === 'absent') {
    return because('REJECT', 'No store that should have the deliverable has it.');
  }
  if (scopeBytes === 'absent') {
    return because('UNJUDGEABLE', 'No store that should have the scope has it.');
  }
  const isOurs = house.isOurs(order.requesterId);
  const mayAbstain = (order.rulesVersion ?? 1) >= 2;
  const findings = await house.judging.findings(
    { scopeBytes, scopeHash, acceptanceHash, deliverable, isOurs, mayAbstain },
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
