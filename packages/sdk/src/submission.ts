/** Resends the same bytes if an answer is lost, so that an envelope is executed once. */
import {
  canonicalize,
  hashValue,
  NetSdkError,
  type JsonObject,
  type Receipt,
} from '@netd/protocol';
import { documentOf, NetError, requestText } from './http.ts';
import { pause } from './pause.ts';

const ATTEMPTS = 4;
const PAUSE_MILLISECONDS = 500;
const MAX_PAUSE_MILLISECONDS = 30_000;

/** Statuses without a node's answer: the envelope may have been executed or not. */
const ON_THE_WAY = new Set([0, 200, 502, 504]);
const BUSY = new Set([429, 503]);

/**
 * No answer came, so the envelope may have been executed. `GET /v1/transitions/{transitionHash}` tells, and
 * `client.send(envelope)` retries safely.
 */
export class LostAnswerError extends NetSdkError {
  override name = 'LostAnswerError';
  /** The signed envelope, to send again. */
  readonly envelope: JsonObject;
  /** Hash under which the envelope is found, if it was committed. */
  readonly transitionHash: string;

  constructor(envelope: JsonObject, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const transitionHash = hashValue(envelope);
    super(
      `not confirmed yet, because no answer came: ${why}. Retrying is safe: it can only happen once`,
      {
        code: 'ANSWER_LOST',
        data: { transitionHash },
        cause,
      },
    );
    this.envelope = envelope;
    this.transitionHash = transitionHash;
  }
}

/**
 * Submits an envelope. Returns the receipt, also if the envelope was committed before.
 * @param control returns the header with the node's secret, if another key than the actor's signed
 * @throws NetError for a refusal: not executed; LostAnswerError if the outcome is unknown
 */
export async function submit(
  url: string,
  envelope: JsonObject,
  { timeout, signal }: { timeout: number; signal?: AbortSignal | undefined },
  control: () => Record<string, string> = () => ({}),
): Promise<Receipt> {
  const body = canonicalize(envelope);
  let lost = false;
  let headers: Record<string, string> | null = null;
  for (let attempt = 1; ; attempt++) {
    try {
      const text = await requestText(url, {
        timeout,
        body,
        headers: headers ?? {},
        ...(signal ? { signal } : {}),
      });
      return receiptOf(envelope, (documentOf(text) as { receipt?: unknown }).receipt);
    } catch (error) {
      signal?.throwIfAborted();
      const answer = error instanceof NetError ? error : null;
      const refusal = answer?.problem && !ON_THE_WAY.has(answer.status) ? answer : null;
      const { receipt } = refusal?.problem ?? {};
      if (isReceiptOf(envelope, receipt)) return receipt;
      if (refusal?.code === 'CONTROL_TOKEN_REQUIRED' && headers === null) {
        headers = control();
        if (Object.keys(headers).length > 0) continue;
      }
      if (refusal && !BUSY.has(refusal.status)) throw refusal;
      lost ||= refusal === null;
      if (attempt === ATTEMPTS) throw lost ? new LostAnswerError(envelope, error) : error;
      await pause(retryDelay(attempt, answer?.retryAfter ?? null), signal);
      signal?.throwIfAborted();
    }
  }
}

export function isReceiptOf(envelope: JsonObject, receipt: unknown): receipt is Receipt {
  const { transitionHash, height } = (receipt ?? {}) as Partial<Receipt>;
  return Number.isSafeInteger(height) && transitionHash === hashValue(envelope);
}

export function receiptOf(envelope: JsonObject, receipt: unknown): Receipt {
  if (isReceiptOf(envelope, receipt)) return receipt;
  throw new NetError(200, null);
}

/**
 * Returns milliseconds: the node's wish within bounds, otherwise growing.
 * @param retryAfter seconds
 */
export function retryDelay(attempt: number, retryAfter: number | null): number {
  const asked = retryAfter === null ? PAUSE_MILLISECONDS * attempt : retryAfter * 1_000;
  return Math.min(asked, MAX_PAUSE_MILLISECONDS);
}
