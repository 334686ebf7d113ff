/**
 * Checks answers before a model reads them, because a lying node can put instructions anywhere. A text stays
 * unmarked only if the table below accepts it.
 */
import {
  APPLICATION_ROLES,
  HASH_PATTERN,
  TIMESTAMP_PATTERN,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import { untrusted } from '@netd/protocol/untrusted';
import type { DocumentOf, WorkOffer } from '@netd/sdk';
import { ACTION_NAMES } from '@netd/sdk/internal';

/**
 * `own`: the member never comes from a node. `parts`: an object of this package, whose members are checked.
 */
type Check = 'own' | 'parts' | ((value: JsonValue) => boolean);

type Order = WorkOffer['order'];
type Message = DocumentOf<'/v1/agent-messages'>['messages'][number];
type AgentStatus = DocumentOf<'/v1/agents/{agentId}'>['agent']['status'];

const oneOf = <Word extends string>(words: Readonly<Record<Word, true>>): Check =>
  among(Object.keys(words));

function among(words: readonly string[]): Check {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value) => known.has(value);
}

const like =
  (pattern: RegExp | string): Check =>
  (value) =>
    typeof value === 'string' && new RegExp(pattern).test(value);

const AMOUNT = like(/^-?\d{1,20}(?:\.\d{1,6})? NET$/);
const OWN_ID = like(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/);
const isTimestamp = new RegExp(TIMESTAMP_PATTERN);

const isTime: Check = (value) =>
  value !== null &&
  typeof value === 'object' &&
  Object.entries(value).every(
    ([name, one]) =>
      (name === 'time' && typeof one === 'string' && isTimestamp.test(one)) ||
      (['height', 'heights', 'milliseconds'].includes(name) && typeof one === 'number'),
  );

const isCursor: Check = (value) =>
  typeof value === 'string' &&
  (/^(?:at:\d{1,9}|\d{1,16}\.\d{1,16})$/.test(value) ||
    (/^[A-Za-z0-9_-]{1,64}$/.test(value) &&
      /^1\.[a-f0-9]{16}\.\d{1,16}$/.test(Buffer.from(value, 'base64url').toString('latin1'))));

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...namesWith(
    'parts',
    `agent agents answer findings left message messages order orders recent result session
     spending wait workInHand`,
  ),
  ...namesWith(
    'own',
    `alwaysAsks at code ended for hint json keys memory on recipients tool unreadable value
     verdict`,
  ),
  ...namesWith(
    AMOUNT,
    `amount asksOwnerAbove balance beforeAsking bond budgetLeft escrow funding mostPerAction paid
     perCall perDay perHour total`,
  ),
  ...namesWith(like(HASH_PATTERN), 'deliverableHash transitionHash'),
  ...namesWith(isTime, 'deadline deliverWithin disputableUntil until'),
  ...namesWith(OWN_ID, 'agentId chainId sessionId'),
  // Ids that this package derives from calls match these patterns. All other ids are marked.
  ['orderId', like(/^o-[0-9a-f]{32}$/)],
  ['messageId', like(/^m-[0-9a-f]{24}-[0-9a-f]{16}$/)],
  ['conversationId', like(/^c-[0-9a-f]{24}-[0-9a-f]{16}$/)],
  ['answerId', like(/^re-[0-9a-f]{40}$/)],
  ['nextCursor', isCursor],
  ['actions', among(ACTION_NAMES)],
  ['roles', among([...APPLICATION_ROLES, 'OPERATOR'])],
  [
    'status',
    oneOf<Order['status'] | Message['status'] | AgentStatus>({
      OPEN: true,
      ACCEPTED: true,
      VERIFYING: true,
      PAID: true,
      REJECTED: true,
      PENDING: true,
      DELIVERED: true,
      active: true,
      suspended: true,
      retired: true,
    }),
  ],
  [
    'phase',
    oneOf<Order['phase']>({
      OPEN: true,
      ACCEPTED: true,
      DRAWING: true,
      REVIEW: true,
      REVEAL: true,
      VERIFIED: true,
      VOTED_DOWN: true,
      UNJUDGED: true,
      CONTESTED: true,
      DISPUTED: true,
      ENDED: true,
    }),
  ],
  [
    'reason',
    oneOf<NonNullable<Order['reason']>>({
      CANCELLED: true,
      ACCEPTANCE_TIMEOUT: true,
      DELIVERY_TIMEOUT: true,
      RELEASED: true,
      VERIFICATION_REJECTED: true,
      VERIFICATION_TIMEOUT: true,
      UNVERIFIED: true,
      SCOPE_UNJUDGEABLE: true,
      DISPUTE_UPHELD: true,
      DISPROVEN: true,
      SPLIT: true,
    }),
  ],
  ['kind', oneOf<Message['kind']>({ REQUEST: true, RESPONSE: true, EVENT: true })],
]);

function namesWith(check: Check, names: string): [string, Check][] {
  return names.split(/\s+/).map((name) => [name, check]);
}

/** @param given the call's arguments, which the model may read unmarked */
export function checkedAnswer(answer: object, given: object): JsonObject {
  const own = new Set(Object.values(given).filter((value) => typeof value === 'string'));
  return ofMembers(JSON.parse(JSON.stringify(answer)) as JsonObject, own);
}

export function isKnownWord(name: string, word: string): boolean {
  return isHarmless(CHECKS.get(name), word);
}

/** Pattern of member names. A node could put sentences into others. */
const MEMBER_NAME = /^[A-Za-z]{1,40}$/;

function ofMembers(members: JsonObject, own: ReadonlySet<string>): JsonObject {
  const names = Object.keys(members);
  if (!names.every((name) => MEMBER_NAME.test(name))) return marked(members);
  return Object.fromEntries(names.map((name) => [name, ofMember(name, members[name], own)]));
}

function ofMember(name: string, value: JsonValue | undefined, own: ReadonlySet<string>): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'object') return value;
  const check = CHECKS.get(name);
  if (typeof value === 'object') {
    if ((value as { untrusted?: unknown }).untrusted === true) return value;
    if (Array.isArray(value) && (check === 'parts' || typeof check === 'function')) {
      return value.map((one) => ofMember(name, one, own));
    }
    if (check === 'parts') return ofMembers(value as JsonObject, own);
  }
  return own.has(value as string) || isHarmless(check, value) ? value : marked(value);
}

const isHarmless = (check: Check | undefined, value: JsonValue): boolean =>
  check === 'own' || (typeof check === 'function' && check(value));

const marked = (value: JsonValue): JsonObject => ({ ...untrusted(null, value) });
