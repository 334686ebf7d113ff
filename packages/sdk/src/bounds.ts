/** Timeouts and abort signals of calls. */
import type { JsonObject } from '@netd/protocol';
import { CoreError } from './agent/core-error.ts';
import type { OptionNames } from './option-names.ts';
import { MAX_TIMEOUT } from './pause.ts';

/** Bounds of one call, which every method that waits takes. */
export interface Bounds {
  /** Milliseconds for the whole call; default none. */
  timeout?: number | undefined;
  /** Ends the call when it aborts. */
  signal?: AbortSignal | undefined;
}

export const BOUNDS: OptionNames<Bounds> = { timeout: 'milliseconds', signal: 'signal' };

export interface BoundedCall {
  /** Name of the method, for the error. */
  name: string;
  /** Members that let the caller continue, such as the id of an act. */
  data?: JsonObject;
  /** Says what the call was waiting for, for the error of a timeout. */
  why?: () => string;
  /** True if the call ends by itself once its signal aborts, and must be awaited until then. */
  isPatient?: boolean;
  /** Calls the listener with the reason when the caller's agent ends. Returns a function that removes it. */
  onEnd?: (listener: (reason: unknown) => void) => () => void;
}

/**
 * Runs a call within its bounds.
 * @param call gets a signal that aborts at the first bound; undefined without bounds
 * @throws AgentError CALL_TIMEOUT, CALL_ABORTED; the errors of the call
 */
export async function bounded<Result>(
  { name, data = {}, why = () => '', isPatient = false, onEnd = () => () => {} }: BoundedCall,
  { timeout, signal }: Bounds,
  call: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (timeout === undefined && signal === undefined) return call(undefined);
  const over = new AbortController();
  const abort = (): void => {
    over.abort(new CoreError('CALL_ABORTED', name, { data, cause: signal?.reason as unknown }));
  };
  const late = (): void => {
    over.abort(new CoreError('CALL_TIMEOUT', `${name}, ${timeout} ms${why()}`, { data }));
  };
  if (signal?.aborted === true) abort();
  over.signal.throwIfAborted();
  signal?.addEventListener('abort', abort);
  const forget = onEnd((reason) => over.abort(reason));
  const ended = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason as Error));
  });
  ended.catch(() => {});
  const isLimited = timeout !== undefined && timeout <= MAX_TIMEOUT;
  const timer = isLimited ? setTimeout(late, timeout) : undefined;
  try {
    return await Promise.race([call(over.signal), ...(isPatient ? [] : [ended])]);
  } catch (error) {
    // An aborted request fails in its own words.
    over.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    forget();
    signal?.removeEventListener('abort', abort);
  }
}
