/**
 * Judges deliverables that strangers chose. Large ones take seconds, so `judge-worker.ts` runs this in a
 * thread.
 */
import {
  FormatError,
  isSealed,
  judgeInTime,
  provableAcceptance,
  whyUnjudgeable,
  workScope,
  type ChainReplay,
  type Judgement,
  type WorkScope,
} from '@netd/formats';
import { MAX_PROOF_BYTES, utf8Text, type JsonObject } from '@netd/protocol';
import { namesItsSubject } from './subject.ts';

export type Vote = 'ACCEPT' | 'REJECT' | 'UNJUDGEABLE';

export interface Delivered {
  scopeBytes: Uint8Array;
  scopeHash: string;
  deliverable: Uint8Array;
  isOurs: boolean;
  /** The hash that the order names. A juror loses bond if a proof by it contradicts the vote. */
  acceptanceHash: string | undefined;
  /** True if the order's rules let its requester contest a result that no jury can judge. */
  mayAbstain: boolean;
}

export interface Findings {
  vote: Vote;
  reason: string;
  more: JsonObject;
}

export interface Range {
  from: number;
  to: number;
}

export type Replay = (range: Range) => Promise<ChainReplay | null>;

/**
 * @returns null if the time is over
 * @throws the error of `replay`; never because of the scope or deliverable
 */
export async function findingsOf(
  delivered: Delivered,
  replay: Replay,
  milliseconds: number,
): Promise<Findings | null> {
  const { scopeBytes, scopeHash, acceptanceHash, deliverable, isOurs, mayAbstain } = delivered;
  const because = (vote: Vote, reason: string, more: JsonObject = {}): Findings => ({
    vote,
    reason,
    more,
  });
  let scope: WorkScope;
  try {
    scope = workScope.read(scopeBytes, scopeHash);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (!isSealed(scopeBytes)) {
      return because('UNJUDGEABLE', `The scope cannot be judged by: ${error.message}`);
    }
    if (mayAbstain) {
      return because('UNJUDGEABLE', 'The scope is sealed: only its parties can judge the result.');
    }
    return isSealed(deliverable)
      ? because('ACCEPT', 'Scope and deliverable are sealed to the parties, and both are there.')
      : because('REJECT', 'The scope is sealed, and the deliverable is not sealed.');
  }
  if (acceptanceHash !== undefined && provableAcceptance(scope).hash !== acceptanceHash) {
    return because('UNJUDGEABLE', 'The acceptanceHash of the order names other conditions.');
  }
  const judgement = await judgeInTime(scope, deliverable, { replay, milliseconds });
  if (judgement === null) return null;
  const { maxBytes } = scope.deliverable;
  const { length } = deliverable;
  if (acceptanceHash !== undefined && length > maxBytes && length <= MAX_PROOF_BYTES) {
    // A proof judges the conditions, not the size.
    const unlimited = { ...scope, deliverable: { ...scope.deliverable, maxBytes: length } };
    const proven = await judgeInTime(unlimited, deliverable, { replay, milliseconds });
    if (proven === null) return null;
    if (proven.verdict !== 'unmet') {
      return because('UNJUDGEABLE', 'The result is too large, and a proof may still show it met.');
    }
  }
  const { vote, reason } = outcome(scope, deliverable, judgement, isOurs);
  return because(vote, reason, { verdict: judgement.verdict, conditions: judgement.conditions });
}

function outcome(
  scope: WorkScope,
  deliverable: Uint8Array,
  { verdict, conditions }: Judgement,
  isOurs: boolean,
): { vote: Vote; reason: string } {
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
  // An open replay condition is impossible to judge, because `digestOf` uses the same predicate.
  const means = { height: -1, answersQuestions: isOurs };
  const isOpen = (_: unknown, index: number): boolean => conditions[index]?.verdict === 'open';
  const open = scope.acceptance.filter(isOpen);
  if (open.every((condition) => whyUnjudgeable(condition, means) === null)) {
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

/** Returns what is wrong, or null. Checks only that text is UTF-8 and JSON parses. */
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
