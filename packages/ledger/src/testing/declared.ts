/** Checks every test block against the declarations of its actions: codes, events and spending. */
import { compileSchema, type ErrorCode, type JsonObject, type Violation } from '@netd/protocol';
import { ACTIONS } from '../actions/registry.ts';
import type { Action } from '../action.ts';
import type { AccountRecord } from '../actions/accounts/records.ts';
import type { ExecutedBlock, Outcome, Submission } from '../block-execution.ts';
import type { PolicyRecord } from '../chain-records.ts';
import { eventDataSchema } from '../event-data.ts';
import { isEventType, type EventType } from '../events.ts';
import { SYSTEM_TRANSITIONS, type SystemKind } from '../system/registry.ts';
import { TRANSITIONS } from '../transitions/registry.ts';

type Sent = Pick<Submission, 'kind' | 'envelope'>;

interface Declaration {
  name: string;
  errors: readonly ErrorCode[];
  events: readonly string[];
}

function actionOf({ kind, envelope }: Sent): Action | undefined {
  if (kind !== 'intent' && kind !== 'open') return undefined;
  return ACTIONS.get(envelope['action'] as string);
}

function declarationOf(sent: Sent): Declaration {
  const { name, errors, events } = TRANSITIONS[sent.kind];
  const action = actionOf(sent);
  if (!action) return { name, errors, events };
  return {
    name: action.name,
    errors: [...errors, ...action.errors],
    events: [...events, ...action.events],
  };
}

/** @throws Error if the code is not declared */
export function requireDeclaredRefusal(sent: Sent, outcome: Outcome): void {
  if (outcome.ok) return;
  const { name, errors } = declarationOf(sent);
  const { code } = outcome.refusal;
  if (!errors.includes(code)) throw new Error(`${name} refused with ${code}, not among its errors`);
}

/**
 * @param accepted envelopes in order
 * @throws Error if an event is not declared
 */
export function requireDeclaredEvents(
  { transitions, events }: Pick<ExecutedBlock, 'transitions' | 'events'>,
  accepted: readonly Sent[],
): void {
  const systemCount = transitions.length - accepted.length;
  for (const { type, transitionIndex, data } of events) {
    const sent = accepted[transitionIndex - systemCount];
    const declared = sent ? declarationOf(sent) : systemDeclaration(transitions, transitionIndex);
    if (!isEventType(type) || !declared.events.includes(type)) {
      throw new Error(`${declared.name} emitted ${type}, not among its events`);
    }
    const [fault] = dataViolations(type, data) ?? [];
    if (fault) {
      throw new Error(`${declared.name} emitted ${type}: ${fault.path} ${fault.message}`);
    }
  }
}

const VIOLATIONS = new Map<EventType, ReturnType<typeof compileSchema>>();

/** Also finds extra members, which the compiler misses. */
function dataViolations(type: EventType, data: unknown): Violation[] | null {
  const violations = VIOLATIONS.get(type) ?? compileSchema(eventDataSchema(type), { isOwn: true });
  VIOLATIONS.set(type, violations);
  return violations(data);
}

function systemDeclaration(
  transitions: ExecutedBlock['transitions'],
  index: number,
): Pick<Declaration, 'name' | 'events'> {
  const { kind } = JSON.parse(transitions[index]?.text ?? '{}') as { kind: SystemKind };
  return { name: kind, events: SYSTEM_TRANSITIONS[kind].events };
}

/**
 * Accounts lose at most what their actions declare. Incoming money in the same block may hide a part.
 * @param account before the block
 * @throws Error if more has left
 */
export function requireDeclaredSpending(
  { changes }: Pick<ExecutedBlock, 'changes'>,
  accepted: readonly Sent[],
  policy: PolicyRecord,
  account: (key: string) => AccountRecord | undefined,
): void {
  for (const [key, text] of changes) {
    if (!key.startsWith('account/') || key.startsWith('account/net:')) continue;
    const { accountId, balance } = JSON.parse(text ?? '{"balance":0}') as AccountRecord;
    const left = (account(key)?.balance ?? 0) - balance;
    if (left <= 0) continue;
    const own = accepted.filter(({ envelope }) => envelope['actorId'] === accountId);
    if (own.some(({ kind }) => kind === 'claim')) continue;
    const declared = own.reduce((sum, sent) => sum + spentBy(sent, policy), 0);
    if (left > declared) {
      const names = own.map((sent) => declarationOf(sent).name).join(', ') || 'nothing of its own';
      throw new Error(`${left} unet left ${key}, ${declared} of them as spends: ${names}`);
    }
  }
}

function spentBy(sent: Sent, policy: PolicyRecord): number {
  const spends = actionOf(sent)?.spends;
  if (!spends || spends.ofPool) return 0;
  return spends.amount(sent.envelope['payload'] as JsonObject, policy);
}
