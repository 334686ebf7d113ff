/** Errors that need no agent, kept apart so that pages don't load the other texts. */
import { jsonPointer, NetSdkError, type ErrorEntry, type JsonObject } from '@netd/protocol';

export const CORE_ERROR_TABLE = {
  // The client
  CALL_TIMEOUT: {
    title: 'The call did not end within its timeout',
    advice:
      'Nothing is undone. Call it again, with the id in the data of this error if it has one: a stored act or order continues, so it happens once.',
  },
  CALL_ABORTED: {
    title: 'The signal of the call has aborted',
    advice:
      'Nothing is undone. To go on, call it again, with the id in the data of this error if it has one: a stored act or order continues, so it happens once.',
  },
  ANSWER_LOST: {
    title: 'Not confirmed yet, because no answer came',
    advice:
      'Send the envelope of the error again. Retrying is safe: it can only happen once. GET /v1/transitions tells too.',
  },
  VERIFICATION_FAILED: {
    title: 'The answer of the node does not match what was certified',
    advice: 'Do not use any of it. Give the url of another node, and tell its operator.',
  },
  STATE_STALE: {
    title: 'The proven state is true, but older than it may be',
    advice: 'Ask again later, or ask another node: this one is behind, or hides what came after.',
  },
  CHAIN_REPLACED: {
    title: 'The node serves another chain now: its genesis is not the one known here',
    advice:
      'Nothing was done on the new chain, and the keys serve on both. Open the agent again, or read events from 0.0 on.',
  },
  NOT_A_NODE: {
    title: 'What answers at this address is not a netd node',
    advice:
      'Give the url of a node, as netd dev prints it: often it is the port that is another one.',
  },
  UNREACHABLE: {
    title: 'No answer came from the node or store',
    advice:
      'Check the address and that the node runs. Behind a proxy, check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY too.',
  },

  // Arguments
  URL_INVALID: {
    title: 'This cannot be the address of a node',
    advice:
      'Write scheme, host and port, for example http://127.0.0.1:8420, without /v1 and without a query.',
  },
  ARGUMENT_INVALID: {
    title: 'The call does not take this argument',
    advice: 'Nothing was sent. Correct the argument that is named.',
  },
  OPTION_UNKNOWN: {
    title: 'The call has no option of this name',
    advice: 'Nothing was sent. Correct the name, or leave it out.',
  },
  VALUE_NOT_JSON: {
    title: 'JSON cannot carry this value exactly',
    advice:
      'Nothing was sent. Write only values that JSON has: dates, sets and other objects are none.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type CoreErrorCode = keyof typeof CORE_ERROR_TABLE;

export type CoreErrorOptions = ErrorOptions & { data?: JsonObject };

export class CoreError extends NetSdkError {
  override name = 'AgentError';
  readonly detail: string;

  constructor(code: CoreErrorCode, detail?: string, options?: CoreErrorOptions);
  constructor(code: string, detail: string, options: CoreErrorOptions, entry: ErrorEntry);
  constructor(
    code: string,
    detail = '',
    options: CoreErrorOptions = {},
    entry: ErrorEntry = CORE_ERROR_TABLE[code as CoreErrorCode],
  ) {
    const { title, advice } = entry;
    super(`${title}${detail && ` (${detail})`}. ${advice}`, { code, ...options });
    this.detail = detail;
    shortenStack(this, said(this, entry));
  }

  /** Returns code, sentence and advice for terminals, and the stack if NET_DEBUG is 1. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const text = said(this, this.entry);
    return isDebugging() ? `${text}\n${this.stack}` : text;
  }

  protected get entry(): ErrorEntry {
    return CORE_ERROR_TABLE[this.code as CoreErrorCode];
  }
}

/** @param name of the argument; '' for the options as a whole */
export function refuseArgument(name: string, detail: string): never {
  const path = name === '' ? '' : jsonPointer([name]);
  throw new CoreError('ARGUMENT_INVALID', detail, { data: { path } });
}

function said({ code, detail, cause }: CoreError, { title, advice }: ErrorEntry): string {
  const below = lowest((cause as { cause?: unknown }).cause);
  // The error for several addresses, such as those of localhost, has a code but no message.
  const why =
    below instanceof Error ? below.message || String((below as { code?: string }).code) : '';
  const because = why && `\n  because: ${why}`;
  return `AgentError ${code}: ${title}${detail && ` (${detail})`}.${because}\n  ${advice}`;
}

/** Returns the deepest cause, because `fetch failed` says nothing and its cause says what failed. */
function lowest(error: unknown): unknown {
  let found = error;
  for (let depth = 0; depth < 8 && found instanceof Error && found.cause instanceof Error; depth++)
    found = found.cause;
  return found;
}

/** Leaves the text and the nearest line of a stack, which a program prints when it ends by the error. */
export function shortenStack(error: Error, text: string): void {
  if (isDebugging()) return;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const nearest = frames.find((line) => !line.includes('node:')) ?? '';
  error.stack = `${text}\n${nearest}\n  (NET_DEBUG=1 shows the whole stack.)`;
}

export function isDebugging(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return Boolean(process?.env?.['NET_DEBUG']);
}
