/** Random commands on audits, wallet builds and sealing. */
import type {
  AuditFindingRecord,
  FindingResponse,
  FindingSeverity,
} from '../actions/readiness/records.ts';
import type { FurtherCommand } from './further-commands.ts';
import { answerOf, engagementOf, findingOf, sealOf, walletOf } from './refusals/readiness.ts';
import { OPERATOR, type TestChain } from './test-chain.ts';

const SEVERITIES: readonly FindingSeverity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];
const RESPONSES: readonly FindingResponse[] = ['FIXED', 'ACCEPTED', 'DISPUTED', 'RISK_ACCEPTED'];

/** Mostly an open audit. */
function engagementId(chain: TestChain, how: number): string {
  const ids = ['audit-0', 'audit-1', 'audit-2'];
  const open = ids.filter((id) => chain.record('audit-engagement', id)?.status === 'OPEN');
  const some = how % 8 === 0 ? ids : open;
  return some[how % Math.max(1, some.length)] ?? 'audit-0';
}

/** Mostly an active auditor. */
function auditorOf(chain: TestChain, { actor, how }: { actor: string; how: number }): string {
  const active = [OPERATOR, 'alice', 'bob', 'carol', 'dave', 'erin', 'frank'].filter(
    (name) => chain.record('auditor', name)?.active,
  );
  return how % 8 === 0 ? actor : (active[how % Math.max(1, active.length)] ?? actor);
}

/** Mostly an open finding. */
function openFinding(chain: TestChain, how: number): AuditFindingRecord | undefined {
  const findings = [...chain.ledger.pairs()]
    .filter(([key]) => key.startsWith('audit-finding/'))
    .map(([, text]) => JSON.parse(text) as AuditFindingRecord);
  const open = findings.filter((finding) => finding.open);
  return (how % 8 === 1 ? findings : open)[how % Math.max(1, open.length)] ?? findings[0];
}

export const READINESS_COMMANDS: readonly FurtherCommand[] = [
  (chain, { actor, whom, how }) => {
    const auditorId = auditorOf(chain, { actor, how });
    const members = {
      channel: whom % 2 === 0 ? 'NPM' : 'APP_STORE',
      version: `1.0.${whom % 3}`,
      artifactHash: (how % 4 === 0 ? 'b' : 'a').repeat(64),
    };
    return {
      actor: auditorId,
      action: 'attestWalletDistribution',
      payload: walletOf(auditorId, members),
    };
  },
  (chain, { whom, how }) => ({
    actor: OPERATOR,
    action: 'createAuditEngagement',
    payload: engagementOf(chain, {
      engagementId: `audit-${how % 3}`,
      dueAtHeight: chain.height + (how % 20),
      ...(whom % 4 === 0 ? { auditorIds: ['alice', 'bob'] } : {}),
    }),
  }),
  (chain, { actor, whom, how }) => {
    const auditorId = auditorOf(chain, { actor, how });
    const finding = openFinding(chain, how);
    const confirms = whom % 3 === 0 && finding !== undefined;
    const payload = findingOf(auditorId, SEVERITIES[whom % SEVERITIES.length] ?? 'LOW', {
      engagementId: engagementId(chain, how),
      findingId: how % 16 === 2 ? 'again' : chain.freshNonce(),
      ...(confirms
        ? {
            engagementId: finding.engagementId,
            severity: 'INFO',
            confirms: finding.findingId,
          }
        : {}),
    });
    return { actor: auditorId, action: 'submitAuditFinding', payload };
  },
  (chain, { whom, how }) => ({
    actor: OPERATOR,
    action: 'respondAuditFinding',
    payload: answerOf('LOW', RESPONSES[whom % RESPONSES.length] ?? 'FIXED', {
      findingId: openFinding(chain, how)?.findingId ?? 'none',
    }),
  }),
  (chain, { how }) => ({
    actor: OPERATOR,
    action: 'closeAuditEngagement',
    payload: { engagementId: engagementId(chain, how) },
  }),
  (chain, { actor }) => ({ action: 'sealMainnetGenesis', payload: sealOf(chain, actor) }),
];
