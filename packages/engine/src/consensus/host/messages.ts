import { RuleError, type RuleErrorData, type Submission } from '@netd/ledger';
import type { ErrorCode, Receipt } from '@netd/protocol';
import type { FromLab, ToLab } from './lab-channel.ts';
import type { Tip } from '../../executor/tip.ts';
import type { SubmissionResult, UnavailableCause } from '../../mempool/mempool.ts';
import type { EngineStatus } from '../consensus.ts';
import { errorFrom, errorText, type ErrorText } from './error-text.ts';

export type ToEngine =
  | { is: 'start' }
  | {
      is: 'envelopes';
      envelopes: PassedEnvelope[];
      /** True while other envelopes are being verified. */
      more: boolean;
    }
  | { is: 'arrived' }
  | { is: 'poll' }
  | { is: 'origins'; origins: readonly string[] }
  | ToLab
  | { is: 'stop' }
  | { is: 'exit' };

export type FromEngine<Own> =
  | { is: 'open' }
  | { is: 'status'; status: EngineStatus }
  | {
      is: 'block';
      head: Tip;
      height: number;
      transitionCount: number;
      /** Keys written since the last batch; sent with the first block of a batch. */
      changed: string[];
      answers: Answers;
    }
  | { is: 'answers'; answers: Answers }
  /** Asks the host to answer `arrived` when all current reservations are ready or gone. */
  | { is: 'awaits-arrivals' }
  | { is: 'block-failure'; error: ErrorText; height: number }
  | { is: 'news'; news: Own }
  | FromLab
  | { is: 'halted'; error: ErrorText; answers: Answers };

export type PassedEnvelope = [
  number: number,
  kind: Submission['kind'],
  text: string,
  transitionHash: string,
  verifiedWith: Submission['verifiedWith'],
];

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

const ANSWERS_AT_ONCE = 64;

/** JSON texts, because V8 serializes them faster than objects. */
export type Answers = string[];

export function encodeResults(results: readonly NumberedResult[]): Answers {
  const answers: Answers = [];
  for (let from = 0; from < results.length; from += ANSWERS_AT_ONCE) {
    const piece = results.slice(from, from + ANSWERS_AT_ONCE);
    answers.push(JSON.stringify(piece.map(([number, result]) => [number, answerOf(result)])));
  }
  return answers;
}

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
