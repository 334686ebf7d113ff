/** Random commands of applicants and the operator; see random-play.ts. */
import type { JsonObject } from '@netd/protocol';
import type { Submission } from '../block-execution.ts';
import { testKey } from '@netd/protocol/testing';
import type { ApplicationRecord, InvitationRecord } from '../actions/operators/records.ts';
import { ROLE_SETS } from '../actions/registry.ts';
import type { AuthorityRecord } from '../chain-records.ts';
import type { ApplicationRole } from '../capability.ts';
import { OPERATOR, profileOf, type TestChain } from './test-chain.ts';

const ROLES: readonly ApplicationRole[] = [
  'HUMAN',
  'VERIFIER',
  'AUDITOR',
  'RUNTIME_PROVIDER',
  'VALIDATOR',
  'AGENT',
  'GOVERNOR',
];
const RESIGNABLE: ReadonlySet<string> = new Set(
  ROLES.filter((role) => role !== 'HUMAN' && role !== 'AGENT'),
);
const APPLICANTS = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', OPERATOR] as const;

/** See random-play.ts. */
interface OperatorCommand {
  what: number;
  who: number;
  whom: number;
  how: number;
  fault: number;
}

/** @param follow switches an actor to its key in force */
export function operatorCommand(
  chain: TestChain,
  { what, who, whom, how, fault }: OperatorCommand,
  follow: (actorId: string) => void,
): Submission {
  follow(OPERATOR);
  // Rarely, because revoked actors show nothing more.
  if (what === 0 && how % 2 === 0) {
    const actorId = APPLICANTS[who % APPLICANTS.length] ?? OPERATOR;
    return chain.intent(OPERATOR, 'revokeAuthority', { actorId });
  }
  if (what === 1 && how % 3 === 0) {
    const holders = records<AuthorityRecord>(chain, 'authority').filter(({ roles }) =>
      roles.some((role) => RESIGNABLE.has(role)),
    );
    const { actorId = 'alice', roles = [] } = holders[who % Math.max(1, holders.length)] ?? {};
    follow(actorId);
    const role = roles.find((held) => RESIGNABLE.has(held)) ?? 'VERIFIER';
    return chain.intent(actorId, 'resignRole', { actorId, role });
  }
  switch (what % 6) {
    case 0:
    case 1: {
      const actorId = APPLICANTS[(who + whom) % APPLICANTS.length] ?? OPERATOR;
      follow(actorId);
      const role = ROLES[whom % ROLES.length] ?? 'HUMAN';
      const bond = 3 + (how % 10);
      const profile = profileOf(actorId, role);
      if ('bond' in profile) profile['bond'] = bond;
      if ('selfBond' in profile) profile['selfBond'] = bond;
      return chain.application(
        actorId,
        role,
        {
          applicationId: `app-${who}-${whom}-${how}`,
          profile,
          // Mostly long enough to claim.
          expiresAtHeight: chain.height + (how % 4 === 0 ? how % 16 : 12),
          // Some expire, and another application renews them.
          ...(how % 2 === 0 && role !== 'AGENT'
            ? {
                capabilities: [
                  { action: ROLE_SETS[role][0] ?? '', expiresAtHeight: chain.height + 8 },
                ],
              }
            : {}),
          ...(role === 'HUMAN' ? { capabilities: [{ action: 'faucet', maxAmount: how }] } : {}),
        },
        fault === 1 ? testKey('mallory') : undefined,
      );
    }
    case 2: {
      const application = pick(records<ApplicationRecord>(chain, 'application'), 'PENDING', how);
      const grouped = application?.role === 'VERIFIER' || application?.role === 'AUDITOR';
      const payload: JsonObject = {
        applicationId: application?.applicationId ?? 'app-nobody',
        ...(grouped ? { independenceGroup: `group-${whom % 3}` } : {}),
      };
      return chain.intent(OPERATOR, 'createOperatorInvitation', payload);
    }
    case 3: {
      const application = pick(records<ApplicationRecord>(chain, 'application'), 'PENDING', how);
      const applicationId = application?.applicationId ?? 'app-nobody';
      return chain.intent(OPERATOR, 'rejectOperatorApplication', { applicationId });
    }
    default: {
      const invitation = pick(records<InvitationRecord>(chain, 'invitation'), 'OPEN', how);
      const actorId = invitation?.actorId ?? 'alice';
      follow(actorId);
      const payout = how % 3 === 0 ? { payoutActorId: 'alice' } : {};
      return chain.claim(actorId, invitation?.invitationId ?? '00'.repeat(32), payout);
    }
  }
}

function records<T>({ ledger }: TestChain, collection: string): T[] {
  return [...ledger.pairs()]
    .filter(([key]) => key.startsWith(`${collection}/`))
    .map(([, text]) => JSON.parse(text) as T);
}

/** Prefers the status. */
function pick<T extends { status: string }>(all: T[], status: string, how: number): T | undefined {
  const wanted = all.filter((one) => one.status === status);
  const some = wanted.length > 0 ? wanted : all;
  return some[how % Math.max(1, some.length)];
}
