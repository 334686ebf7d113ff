/**
 * Messages between an engine and its host, in order both ways, whether they share a thread or not. The host is
 * engine-host.ts, the engine's end is run-engine.ts.
 */
import { RuleError, type RuleErrorData, type Submission } from '@netd/ledger';
import type { ErrorCode, Receipt } from '@netd/protocol';
import type { FromLab, ToLab } from './lab-channel.ts';
import type { Tip } from '../../executor/tip.ts';
import type { SubmissionResult, UnavailableCause } from '../../mempool/mempool.ts';
import type { EngineStatus } from '../consensus.ts';
import { errorFrom, errorText, type ErrorText } from './error-text.ts';

export type ToEngine =
  /** Begin to make or take blocks. */
  | { is: 'start' }
  | {
      is: 'envelopes';
      envelopes: PassedEnvelope[];
      /** True if other envelopes have a reservation and are being verified. */
      more: boolean;
    }
  /** All envelopes that had a reservation when this was asked are ready or gone. */
  | { is: 'arrived' }
  /** There may be a new block elsewhere. */
  | { is: 'poll' }
  | ToLab
  /** Finish pending work, then end. */
  | { is: 'stop' }
  /** The process exits: leave the database. */
  | { is: 'exit' };

/** @typeParam Own news specific to this engine */
export type FromEngine<Own> =
  /** The chain is open. The engine waits for the start. */
  | { is: 'open' }
  /** Sent when the status changes, before the block or news that changed it. */
  | { is: 'status'; status: EngineStatus }
  | {
      is: 'block';
      /** The last block of the batch that was written together. */
      head: Tip;
      height: number;
      transitionCount: number;
      /** Changed state keys that the host may cache. Sent with the first block of a batch. */
      changed: string[];
      answers: Answers;
    }
  /** Answers for envelopes that are in no block. */
  | { is: 'answers'; answers: Answers }
  /** Report when all envelopes that now have a reservation are ready or gone. */
  | { is: 'awaits-arrivals' }
  | { is: 'block-failure'; error: ErrorText; height: number }
  | { is: 'news'; news: Own }
  | FromLab
  /** The chain could not be opened, or cannot go on. */
  | { is: 'halted'; error: ErrorText; answers: Answers };

/** An envelope with the number that its answer will carry. Strings, because they cross threads faster than objects. */
export type PassedEnvelope = [
  number: number,
  kind: Submission['kind'],
  /** Canonical JSON. */
  text: string,
  transitionHash: string,
  verifiedWith: Submission['verifiedWith'],
];

/** Outcome of an envelope, without classes. */
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

/** To decode, answer and send this many takes two to three milliseconds. */
const ANSWERS_AT_ONCE = 64;

/** JSON, because V8 serializes it faster than it copies objects. In pieces, so that other work is not held up. */
export type Answers = string[];

export function encodeResults(results: readonly NumberedResult[]): Answers {
  const answers: Answers = [];
  for (let from = 0; from < results.length; from += ANSWERS_AT_ONCE) {
    const piece = results.slice(from, from + ANSWERS_AT_ONCE);
    answers.push(JSON.stringify(piece.map(([number, result]) => [number, answerOf(result)])));
  }
  return answers;
}

/** @param piece one element of what `encodeResults` returned */
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
