/** Refusals in our own sentences. Texts from a node are marked as untrusted. */
import { FORMAT_ERROR_TABLE } from '@netd/formats';
import { ERROR_TABLE, isErrorCode, type ErrorEntry } from '@netd/protocol';
import { AGENT_ERROR_TABLE, AgentError, NetError } from '@netd/sdk';
import { SIGNER_ERROR_TABLE, SignerError } from './signer-error.ts';
import { cutText } from './page.ts';
import { untrusted, type Untrusted } from '@netd/protocol/untrusted';

export interface Refusal {
  code: string;
  /** Contains no text from a node. */
  message: string;
  retryAfter?: number;
  details?: Untrusted<object>;
}

const TABLES = [SIGNER_ERROR_TABLE, AGENT_ERROR_TABLE, FORMAT_ERROR_TABLE, ERROR_TABLE];
const isKnown = (code: string): boolean =>
  isErrorCode(code) || Object.hasOwn(AGENT_ERROR_TABLE, code);
const ELSEWHERE: ErrorEntry = {
  title: 'A node or a store for blobs has refused it or has not understood it',
  advice: 'Call the tool again later.',
};

/** Advice that matches mentions keys, files, options or programs, which only the owner can use. */
const FOR_OWNER =
  /\b(?:keys?|key file|files?|sessions?|passphrase|options?|origin|netd|npx|Node|url|chmod|json|grant|sign|capabilit\w+|extendAgentCapabilities|beacon)\b/i;
/** Advice that matches mentions HTTP, which a model cannot use directly. */
const FOR_PROGRAMS = /\/v1\/|\/openapi|\/readyz|envelope|requestId|header|docs\/|canonical/i;
const TELL_OWNER =
  'No tool changes that: tell the owner of this agent this code, and leave it to them.';
const LOOK_AGAIN = 'Look where things stand with the tools that read before you try again.';

/** Advice for models, in place of advice that is written for programs. */
const OWN_ADVICE: Readonly<Record<string, string>> = {
  SESSION_ENDED: 'Nothing can be done under it any more: tell the owner of this agent.',
  SESSION_ACTION_MISSING:
    'Go on without it, or tell the owner of this agent what it is needed for.',
  SESSION_AMOUNT_EXCEEDED: 'Ask for less, or tell the owner of this agent what it is needed for.',
  SESSION_BUDGET_EXCEEDED: 'Ask for less, or tell the owner of this agent what it is needed for.',
  SESSION_READS_NOTHING:
    'Messages, sealed orders and memory are closed to you: tell the owner of this agent if you need them.',
  RECIPIENT_HAS_NO_KEY:
    'Nothing was sent, and nothing can be until it publishes one. Write to others.',
  FOLLOWER_TAKES_NO_WRITES:
    'Nothing was done, and no tool can change that. Tell the owner of this agent that signed envelopes go to the node in the details. This node is read-only.',
  HISTORY_NOT_HELD:
    'Call the tool again later, or tell the owner of this agent that the node which the details name has it already.',
  SCOPE_SEALED_TO_OTHERS: 'Leave the order to others.',
  RESULT_UNMET:
    'Verifiers would reject it. Correct the result by the conditions that the details name.',
  SCOPE_UNJUDGEABLE:
    "Nothing was done. If the order is yours, correct the condition that the details name, and call the tool again. If it is another agent's order, leave it.",
  MEMORY_OFF: 'Go on without it, or tell the owner of this agent if you need it.',
  RESULT_INVALID: 'Deliver at least one byte, and at most what the scope takes.',
  NODE_UNREACHABLE: 'Nothing was done. Call the tool again later; tell the owner if it goes on.',
  BLOB_NOT_STORED: 'Call the tool again with the same arguments: what was stored stays.',
};

const MAX_SAID = 1_000;

export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof SignerError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof AgentError) return refused(error.code, { said: error.detail });
  if (error instanceof NetError) {
    const { problem, status, retryAfter } = error;
    const faults = problem?.errors?.map(({ path, message }) => `${path} ${message}`) ?? [];
    const said = [problem?.detail ?? '', ...faults].filter(Boolean).join('; ');
    return {
      ...refused(isKnown(error.code) ? error.code : `HTTP_${status}`, { said }),
      ...(retryAfter === null ? {} : { retryAfter }),
    };
  }
  // Compare the name, because a bundle may contain several copies of the class.
  const { name, code, message } = error as Error & { code?: unknown };
  if (name === 'FormatError' && typeof code === 'string') {
    const { path, detail } = error as { path?: string; detail?: string };
    return refused(code, { said: [path, detail].filter(Boolean).join(' ') });
  }
  if (name === 'BlobServiceError') return refused('BLOB_SERVICE_REFUSED', { said: message });
  return null;
}

export function sentencesOf(code: string): string {
  const { title, advice } =
    TABLES.map((table) => (table as Readonly<Record<string, ErrorEntry>>)[code]).find(Boolean) ??
    ELSEWHERE;
  return `${title}. ${OWN_ADVICE[code] ?? forModel(advice)}`;
}

function forModel(advice: string): string {
  if (FOR_OWNER.test(advice)) return TELL_OWNER;
  return FOR_PROGRAMS.test(advice) ? LOOK_AGAIN : advice;
}

function refused(code: string, { said }: { said: string }): Refusal {
  const message = sentencesOf(code);
  if (said === '') return { code, message };
  return { code, message, details: untrusted('others', { said: cutText(said, MAX_SAID) }) };
}
