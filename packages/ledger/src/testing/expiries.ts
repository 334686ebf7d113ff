/** Finds expiring records by walking the state. */
import type { AuthorityRecord } from '../chain-records.ts';
import type { ApplicationRecord } from '../actions/operators/records.ts';
import type { MemoryHandoverRecord, RuntimeOfferRecord } from '../actions/memory/records.ts';
import type { MessageRecord } from '../actions/messages/records.ts';
import type { BeaconRecord } from '../actions/presence/records.ts';
import type { AuditEngagementRecord } from '../actions/readiness/records.ts';
import type { SessionRecord } from '../actions/sessions/records.ts';
import { hasExpired } from '../deadline.ts';
import { queueEntry } from '../state.ts';
import type { TimerKind } from '../timer-queue.ts';
import type { MemoryLedger } from './memory-ledger.ts';

interface Expiry {
  subject: string;
  lastHeight: number;
}

/** By kind: everything that should wait for a height. */
const EXPIRIES: Partial<Record<TimerKind, (ledger: MemoryLedger) => Expiry[]>> = {
  expireCapabilities: (ledger) =>
    recordsOf<AuthorityRecord>(ledger, 'authority').flatMap(([actorId, { capabilities }]) => {
      const { status } = ledger.record('agent', actorId) ?? {};
      if (ledger.record('revocation', actorId) ?? status === 'retired') return [];
      return [...new Set(capabilities.flatMap((held) => held.expiresAtHeight ?? []))].map(
        (lastHeight) => ({ subject: `${actorId}/${lastHeight}`, lastHeight }),
      );
    }),
  expireBeacon: (ledger) =>
    recordsOf<BeaconRecord>(ledger, 'beacon').flatMap(([subject, { beacon }]) =>
      beacon ? [{ subject, lastHeight: beacon.expiresAtHeight }] : [],
    ),
  expireRuntimeOffer: (ledger) =>
    recordsOf<RuntimeOfferRecord>(ledger, 'runtime-offer').map(([subject, offer]) => ({
      subject,
      lastHeight: offer.expiresAtHeight,
    })),
  expireAuditEngagement: (ledger) =>
    recordsOf<AuditEngagementRecord>(ledger, 'audit-engagement').flatMap(
      ([subject, { status, findings, dueAtHeight }]) =>
        status === 'OPEN' && findings === 0 ? [{ subject, lastHeight: dueAtHeight }] : [],
    ),
  expireSession: (ledger) =>
    recordsOf<SessionRecord>(ledger, 'session').map(([subject, session]) => ({
      subject,
      lastHeight: session.expiresAtHeight,
    })),
  expireAgentMessage: (ledger) =>
    recordsOf<MessageRecord>(ledger, 'message').flatMap(
      ([subject, { message, status, endedAtHeight }]) =>
        status === 'PENDING' && endedAtHeight === null
          ? [{ subject, lastHeight: message.expiresAtHeight }]
          : [],
    ),
  expireMemoryHandover: (ledger) =>
    recordsOf<MemoryHandoverRecord>(ledger, 'memory-handover').flatMap(
      ([subject, { status, expiresAtHeight }]) =>
        status === 'PREPARED' || status === 'TARGET_RESTORED'
          ? [{ subject, lastHeight: expiresAtHeight }]
          : [],
    ),
  expireOperatorApplication: (ledger) =>
    recordsOf<ApplicationRecord>(ledger, 'application').flatMap(
      ([subject, { status, invitationId, expiresAtHeight }]) => {
        const invitation = invitationId && ledger.record('invitation', invitationId);
        return status === 'PENDING' || status === 'APPROVED'
          ? [{ subject, lastHeight: invitation ? invitation.expiresAtHeight : expiresAtHeight }]
          : [];
      },
    ),
};

function recordsOf<T>(ledger: MemoryLedger, collection: string): [id: string, record: T][] {
  return [...ledger.pairs()]
    .filter(([key]) => key.startsWith(`${collection}/`))
    .map(([key, text]) => [key.slice(collection.length + 1), JSON.parse(text) as T]);
}

/** By <kind>/<subject>, with the due height. `expected` and `waiting` must be equal. */
export function expiriesOf(
  ledger: MemoryLedger,
): Record<'expected' | 'waiting', Record<string, number>> {
  const expected: Record<string, number> = {};
  const kinds = Object.entries(EXPIRIES);
  for (const [kind, subjectsOf] of kinds) {
    for (const { subject, lastHeight } of subjectsOf(ledger)) {
      if (!hasExpired(lastHeight, ledger.tip.height))
        expected[`${kind}/${subject}`] = lastHeight + 1;
    }
  }
  const waiting: Record<string, number> = {};
  for (const [key, text] of ledger.pairs()) {
    const entry = queueEntry(key, JSON.parse(text));
    const kind = kinds.map(([name]) => name).find((name) => entry?.queue === `${name}:HEIGHT`);
    if (!entry || !kind) continue;
    const [collection = '', ...id] = key.split('/');
    waiting[collection === 'timer' ? id.join('/') : [kind, ...id].join('/')] = entry.at;
  }
  return { expected, waiting };
}
