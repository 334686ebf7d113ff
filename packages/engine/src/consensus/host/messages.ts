/**
 * What an engine and its host tell each other, in order both ways: the same for every engine, in a thread of its own or in that
 * of its host. The host is engine-host.ts, the engine's end run-engine.ts.
 */
import { RuleError, type RuleErrorData, type Submission } from '@netd/ledger';
import type { ErrorCode, Receipt } from '@netd/protocol';
import type { FromLab, ToLab } from './lab-channel.ts';
import type { Tip } from '../../executor/tip.ts';
import type { SubmissionResult, UnavailableCause } from '../../mempool/mempool.ts';
import type { EngineStatus } from '../consensus.ts';
import { errorFrom, errorText, type ErrorText } from './error-text.ts';

export type ToEngine =
  /** Make or take blocks from now on. */
  | { is: 'start' }
  | {
      is: 'envelopes';
      envelopes: PassedEnvelope[];
      /** Whether other envelopes have a reservation and are being verified. */
      more: boolean;
    }
  /** All envelopes with a reservation when this was asked are ready or gone. */
  | { is: 'arrived' }
  /** There may be a block elsewhere that is not here yet. */
  | { is: 'poll' }
  | ToLab
  /** Finish what is under way, then end. */
  | { is: 'stop' }
  /** The process exits: leave the database. */
  | { is: 'exit' };

/** @typeParam Own what only this engine tells */
export type FromEngine<Own> =
  /** The chain is open, and waits for the start. */
  | { is: 'open' }
  /** Whenever it is another one; before the block or the news that made it so. */
  | { is: 'status'; status: EngineStatus }
  | {
      is: 'block';
      /** The last of the blocks that were written together. */
      head: Tip;
      height: number;
      transitionCount: number;
      /** State keys of which the host may keep the record; with the first block of those that were written together. */
      changed: string[];
      answers: Answers;
    }
  /** Of envelopes of which no block came. */
  | { is: 'answers'; answers: Answers }
  /** Say when all envelopes with a reservation now are ready or gone. */
  | { is: 'awaits-arrivals' }
  | { is: 'block-failure'; error: ErrorText; height: number }
  | { is: 'news'; news: Own }
  | FromLab
  /** The chain could not be opened, or goes no further. */
  | { is: 'halted'; error: ErrorText; answers: Answers };

/** An envelope with the number that it is answered by, as strings: they cross faster than objects do. */
export type PassedEnvelope = [
  number: number,
  kind: Submission['kind'],
  /** Its canonical JSON. */
  text: string,
  transitionHash: string,
  verifiedWith: Submission['verifiedWith'],
];

/** How an envelope ended, without classes. */
type Answer =
  | { status: 'committed'; receipt: Receipt }
  | {
      status: 'refused';
      code: ErrorCode;
      data: RuleErrorData;
      receipt: Receipt | null;
    }
  | { status: 'unavailable'; cause?: UnavailableCause }
  | { status: 'failed'; error: ErrorText };

export type NumberedResult = [number: number, result: SubmissionResult];

/** Read, answered and written to their connections they take two to three milliseconds. */
const ANSWERS_AT_ONCE = 64;

/** JSON, because V8 writes and reads it faster than it copies objects, in pieces that hold nothing else up. */
export type Answers = string[];

export function encodeResults(results: readonly NumberedResult[]): Answers {
  const answers: Answers = [];
  for (let from = 0; from < results.length; from += ANSWERS_AT_ONCE) {
    const piece = results.slice(from, from + ANSWERS_AT_ONCE);
    answers.push(JSON.stringify(piece.map(([number, result]) => [number, answerOf(result)])));
  }
  return answers;
}

/** @param piece of what `encodeResults` made */
export const decodeResults = (piece: string): NumberedResult[] =>
  (JSON.parse(piece) as [number, Answer][]).map(([number, answer]) => [number, resultOf(answer)]);

function answerOf(result: SubmissionResult): Answer {
  if (result.status === 'refused') {
    const { refusal, receipt } = result;
    return { status: 'refused', code: refusal.code, data: refusal.data, receipt };
  }
  return result.status === 'failed' ? { status: 'failed', error: errorText(result.error) } : result;
}

function resultOf(answer: Answer): SubmissionResult {
  if (answer.status === 'refused') {
    const { code, data, receipt } = answer;
    return { status: 'refused', refusal: new RuleError(code, data), receipt };
  }
  return answer.status === 'failed' ? { status: 'failed', error: errorFrom(answer.error) } : answer;
}
