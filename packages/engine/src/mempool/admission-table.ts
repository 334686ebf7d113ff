/**
 * Refuses some submissions that the ledger's rules still accept. Only admission uses this table, so blocks of
 * nodes with other entries stay valid. The manifest publishes every entry.
 */
import { ACTIONS, RuleError, type ApplicationRecord, type Submission } from '@netd/ledger';
import {
  hiddenIn,
  isNetSymbol,
  type ErrorCode,
  type JsonObject,
  type JsonValue,
} from '@netd/protocol';
import type { NewcomerAct, NewcomerLimits } from './newcomer-limits.ts';

export interface AdmissionFacts {
  state: { get: (key: string) => unknown };
  /** 0 if rules of the ledger change the set. */
  fixedValidators: number;
  /** Undefined if the address is unknown or has no limit. */
  newcomers?: Newcomers | undefined;
}

export interface Newcomers {
  limits: NewcomerLimits;
  share: string;
}

interface Candidate {
  kind: Submission['kind'];
  envelope: JsonObject;
  /** '' unless it is an intent or an open transition. */
  action: string;
  payload: JsonObject;
}

interface Fault {
  path: string;
  message: string;
  retryAfter?: number;
}

export class AdmissionRefusal extends RuleError {
  override name = 'AdmissionRefusal';
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, { path, message, retryAfter }: Fault) {
    super(code, { path, message });
    this.retryAfter = retryAfter;
  }
}

interface AdmissionEntry {
  code: ErrorCode;
  about: string;
  fault: (candidate: Candidate, facts: AdmissionFacts) => Fault | null;
}

export const ADMISSION_TABLE: readonly AdmissionEntry[] = [
  {
    code: 'VALIDATOR_SET_FIXED',
    about:
      'Applying for the role VALIDATOR, approving or claiming it, if genesis names several validators and has no policy.validatorSet: no candidate would ever validate.',
    fault: (candidate, facts) => {
      if (facts.fixedValidators <= 1) return null;
      const { kind, envelope, action, payload } = candidate;
      if (kind === 'application') {
        return envelope['role'] === 'VALIDATOR' ? { path: '/role', message: FIXED } : null;
      }
      const [id, path] =
        kind === 'claim'
          ? [applicationOf(envelope['invitationId'], facts), '/invitationId']
          : action === 'createOperatorInvitation'
            ? [payload['applicationId'], '/payload/applicationId']
            : [undefined, ''];
      const application = recordOf('application', id, facts) as ApplicationRecord | undefined;
      return application?.role === 'VALIDATOR' ? { path, message: FIXED } : null;
    },
  },
  {
    code: 'RELEASE_RULES_MISMATCH',
    about:
      'A release that schedules a later version of the rules than 2 on a chain of version 1, whose contributions cannot name the version.',
    fault: ({ action, payload: { releaseId, version } }, { state }) =>
      action === 'scheduleRules' &&
      releaseId !== undefined &&
      version !== 2 &&
      state.get('rules/active') === undefined
        ? { path: '/payload/version', message: 'a release schedules version 2 here' }
        : null,
  },
  {
    code: 'SYMBOL_RESERVED',
    about:
      'A new token with the symbol NET or UNET, in any case: those are the money of the network.',
    fault: ({ action, payload: { symbol } }) =>
      action === 'createToken' && typeof symbol === 'string' && isNetSymbol(symbol)
        ? { path: '/payload/symbol', message: 'is the name of the money of the network' }
        : null,
  },
  {
    code: 'TEXT_HIDDEN',
    about:
      'Names, titles, descriptions and other short texts with control characters (line breaks are fine in descriptions), bidi controls, or zero-width characters, except U+200C and U+200D between emoji or letters beyond Latin.',
    fault: (candidate) => {
      for (const { path, text, lines } of textsOf(candidate)) {
        const message = hiddenIn(text, lines);
        if (message !== null) return { path, message };
      }
      return null;
    },
  },
  {
    code: 'REGISTRATION_LIMIT',
    about:
      'Registrations beyond those that an address may have in an hour: 120, unless the operator of the node chose otherwise. Unlimited on loopback.',
    fault: (candidate, facts) => newcomerFault('registration', candidate, facts),
  },
  {
    code: 'FIRST_DRAW_LIMIT',
    about:
      'First draws of agents from the faucet beyond those that an address may have in a day: 100, unless the operator of the node chose otherwise. Unlimited on loopback.',
    fault: (candidate, facts) => newcomerFault('firstDraw', candidate, facts),
  },
];

function newcomerFault(
  act: NewcomerAct,
  candidate: Candidate,
  { state, newcomers }: AdmissionFacts,
): Fault | null {
  if (!newcomers || newcomerAct(candidate, state) !== act) return null;
  const refusal = newcomers.limits.refusal(act, newcomers.share);
  return refusal && { path: act === 'registration' ? '' : '/action', ...refusal };
}

export function newcomerAct(
  { kind, envelope }: Pick<Submission, 'kind' | 'envelope'>,
  state: AdmissionFacts['state'],
): NewcomerAct | null {
  if (kind === 'registration') return 'registration';
  if (envelope['action'] !== 'faucet' || (kind !== 'intent' && kind !== 'open')) return null;
  const { actorId } = envelope;
  const account = typeof actorId === 'string' ? state.get(`account/${actorId}`) : undefined;
  const { faucetReceived = 0 } = (account ?? {}) as { faucetReceived?: number };
  return faucetReceived === 0 ? 'firstDraw' : null;
}

const FIXED = 'genesis fixed the validators of this chain, so no candidate will ever validate here';

const recordOf = (
  collection: 'application' | 'invitation',
  id: JsonValue | undefined,
  { state }: AdmissionFacts,
): unknown => (typeof id === 'string' ? state.get(`${collection}/${id}`) : undefined);

const applicationOf = (invitationId: JsonValue | undefined, facts: AdmissionFacts) =>
  (recordOf('invitation', invitationId, facts) as { applicationId?: string } | undefined)
    ?.applicationId;

/** A text with a greater limit may have lines. */
const LINES_FROM = 280;

interface Rules {
  type?: string;
  title?: string;
  pattern?: string;
  enum?: unknown;
  const?: unknown;
  maxLength?: number;
  items?: Rules;
  properties?: Readonly<Record<string, Rules>>;
}

/** True for free text. A string with a title, such as a key or a signature, is not free text. */
const isText = ({ type, title, pattern, enum: names, const: only }: Rules): boolean =>
  type === 'string' && [title, pattern, names, only].every((one) => one === undefined);

function textsOf({
  kind,
  envelope,
  action,
  payload,
}: Candidate): { path: string; text: string; lines: boolean }[] {
  if (kind === 'registration') return ownText('/description', envelope['description']);
  if (kind === 'application') {
    const profile = envelope['profile'] as JsonObject | undefined;
    return ownText('/profile/description', profile?.['description']);
  }
  const { properties = {} } = (ACTIONS.get(action)?.payload ?? {}) as Rules;
  return Object.entries(properties).flatMap(([member, rules]) => {
    const value = payload[member];
    const path = `/payload/${member}`;
    const { items } = rules;
    if (isText(rules)) {
      return ownText(path, value, (rules.maxLength ?? LINES_FROM) >= LINES_FROM);
    }
    if (!items || !isText(items) || !Array.isArray(value)) return [];
    return value.flatMap((one, at) => ownText(`${path}/${at}`, one, false));
  });
}

const ownText = (path: string, text: JsonValue | undefined, lines = true) =>
  typeof text === 'string' ? [{ path, text, lines }] : [];

/** @throws AdmissionRefusal with the code of the first entry that refuses the submission */
export function requireAdmissible(
  { kind, envelope }: Pick<Submission, 'kind' | 'envelope'>,
  facts: AdmissionFacts,
): void {
  const acts = kind === 'intent' || kind === 'open';
  const { action, payload } = envelope;
  const candidate: Candidate = {
    kind,
    envelope,
    action: acts && typeof action === 'string' ? action : '',
    payload: acts && typeof payload === 'object' ? (payload as JsonObject) : {},
  };
  for (const { code, fault } of ADMISSION_TABLE) {
    const found = fault(candidate, facts);
    if (found) throw new AdmissionRefusal(code, found);
  }
}
