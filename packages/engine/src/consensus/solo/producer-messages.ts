/** What the thread that makes blocks and the one that everybody talks to tell each other, in order both ways. */
import { RuleError, type RuleErrorData, type Submission } from '@netd/ledger';
import type { ErrorCode, Genesis, Receipt } from '@netd/protocol';
import type { BlockTimes } from './block-timer.ts';
import type { FromLab, ToLab } from './lab-channel.ts';
import { errorFrom, errorText, type ErrorText } from '../thread/error-text.ts';
import type { Tip } from '../../executor/tip.ts';
import type { SubmissionResult, UnavailableCause } from '../../mempool/mempool.ts';

/** What the thread starts with. */
export interface ProducerData extends BlockTimes {
  /** Of the database. */
  storePath: string;
  genesis: Genesis;
  /** What the database was left at. */
  head: Tip;
  validatorId: string;
  /** PKCS #8 PEM. */
  validatorKey: string;
  /** The file that says what it has signed last; none in tests. */
  lastSignedPath?: string;
  /** As in NET_FAILPOINT. */
  failpoint: string | undefined;
}

/** An envelope with the number that it is answered by, as strings: they cross faster than objects do. */
export type PassedEnvelope = [
  number: number,
  kind: Submission['kind'],
  /** Its canonical JSON. */
  text: string,
  transitionHash: string,
  verifiedWith: Submission['verifiedWith'],
];

export type ToProducer =
  | {
      is: 'envelopes';
      envelopes: PassedEnvelope[];
      /** Whether other envelopes have a reservation and are being verified. */
      more: boolean;
    }
  /** All envelopes with a reservation when this was asked are ready or gone. */
  | { is: 'arrived' }
  | ToLab;

export type FromProducer =
  | {
      is: 'block';
      head: Tip;
      transitionCount: number;
      /** State keys of which somebody may keep the record. */
      changed: string[];
      answers: Answers;
    }
  /** Of envelopes of which no block came. */
  | { is: 'answers'; answers: Answers }
  /** Say when all envelopes with a reservation now are ready or gone. */
  | { is: 'awaits-arrivals' }
  | { is: 'faults'; faults: string[] }
  | { is: 'clock-fault'; fault: string | null }
  | { is: 'clock-notice'; notice: string }
  | FromLab
  | { is: 'block-failure'; error: ErrorText; height: number }
  /** The chain could not be opened, or goes no further. */
  | { is: 'halted'; error: ErrorText; answers: Answers };

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

/** JSON, because V8 writes and reads it faster than it copies objects, in pieces that hold nobody else up. */
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
