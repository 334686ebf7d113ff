/** Whether a deliverable is what an order asked for, as far as the house can tell. */
import {
  FormatError,
  judge,
  recipientsOf,
  workScope,
  type Judgement,
  type WorkScope,
} from '@netd/formats';
import { canonicalize, utf8Bytes, utf8Text, type JsonObject } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk';
import { originOf, type Content, type Named } from './content.ts';
import { namesItsSubject } from './jobs.ts';
import type { House } from './member.ts';
import { digestOf } from './replay.ts';

export type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export interface Verdict {
  /** UNJUDGEABLE blames the scope, not the work: the house accepts nothing that it cannot judge. */
  vote: 'ACCEPT' | 'REJECT' | 'UNJUDGEABLE';
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
 * Fetches and judges what was delivered.
 * @returns null where there is no verdict yet: a store that should have a blob fails, is busy or does not answer
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
  let scope: WorkScope;
  try {
    scope = workScope.read(scopeBytes, scopeHash);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (!isSealed(scopeBytes)) {
      return because('UNJUDGEABLE', `The scope cannot be judged by: ${error.message}`);
    }
    return isSealed(deliverable)
      ? because('ACCEPT', 'Scope and deliverable are sealed to the parties, and both are there.')
      : because('REJECT', 'The scope is sealed, and the deliverable is not sealed.');
  }
  const judgement = await judge(scope, deliverable, {
    replay: (range) => digestOf(house.client, range),
  });
  const { vote, reason } = outcome(scope, deliverable, judgement, house.isOurs(order.requesterId));
  return because(vote, reason, { verdict: judgement.verdict, conditions: judgement.conditions });
}

function outcome(
  scope: WorkScope,
  deliverable: Uint8Array,
  { verdict, conditions }: Judgement,
  isOurs: boolean,
): { vote: Verdict['vote']; reason: string } {
  const said = (which: Judgement['verdict']): string =>
    conditions
      .flatMap((one, index) =>
        one.verdict === which ? [`condition ${index + 1} (${one.kind}): ${one.reason}`] : [],
      )
      .join('; ');
  if (verdict === 'unmet') return { vote: 'REJECT', reason: `Not met is ${said('unmet')}.` };
  if (verdict === 'met') return { vote: 'ACCEPT', reason: 'All conditions are met.' };
  const lacking = whatItIsNot(scope, deliverable);
  if (lacking !== null) return { vote: 'REJECT', reason: lacking };
  if (isOurs && conditions.every((one) => one.verdict !== 'open' || one.kind === 'review')) {
    return namesItsSubject(scope, deliverable)
      ? {
          vote: 'ACCEPT',
          reason: 'It is there, of the type that was asked for, and on its subject.',
        }
      : { vote: 'REJECT', reason: 'The text does not name the agent that it should be about.' };
  }
  return {
    vote: 'UNJUDGEABLE',
    reason: `The deliverable is there and of the type that was asked for. These verifiers are programs and cannot tell ${said('open')}`,
  };
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

function isSealed(bytes: Uint8Array): boolean {
  try {
    return recipientsOf(bytes).length > 0;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return false;
  }
}

/** Its size has been judged; a text is one, and JSON is JSON. @returns what is wrong with it, null where nothing is */
function whatItIsNot({ deliverable: { mediaType } }: WorkScope, bytes: Uint8Array): string | null {
  const isJson = mediaType === 'application/json' || mediaType.endsWith('+json');
  if (bytes.length === 0) return 'The deliverable is empty.';
  if (!isJson && !mediaType.startsWith('text/')) return null;
  try {
    const text = utf8Text(bytes);
    if (isJson) JSON.parse(text);
    return null;
  } catch {
    return `The deliverable is not ${mediaType}, which was asked for.`;
  }
}
