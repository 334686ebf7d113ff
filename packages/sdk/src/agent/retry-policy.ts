/** How often a handler or a step is called. */
import type { OptionNames } from '../option-names.ts';
import { LONGEST_PAUSE } from './poller.ts';

/** Calls of a handler or a step that fails. An AgentError with the code NOT_RETRYABLE ends them. */
export interface RetryPolicy {
  /** Calls in all; default 3 for a handler, and 1 for a step. */
  attempts?: number | undefined;
  /**
   * Milliseconds before the second call; default 1,000. Each further pause is twice as long, up to 30 seconds or this
   * value.
   */
  backoff?: number | undefined;
}

export const RETRY_OPTIONS: OptionNames<RetryPolicy> = {
  attempts: 'count',
  backoff: 'milliseconds',
};

/** Returns the milliseconds before the call that follows this many failures. */
export const retryPause = ({ backoff = 1_000 }: RetryPolicy, failures: number): number =>
  Math.min(backoff * 2 ** Math.min(failures - 1, 16), Math.max(backoff, LONGEST_PAUSE));
