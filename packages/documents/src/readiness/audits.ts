import {
  AuditEngagementRecord,
  AuditFindingRecord,
  hasExpired,
  MAX_FINDINGS,
  OpenFindings,
} from '@netd/ledger';
import { RecordId } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';

const { status: Status } = AuditEngagementRecord.properties;

const Engagement = exactly(
  { ...AuditEngagementRecord.properties, overdue: Type.Boolean() },
  { title: 'AuditEngagement' },
);

const rules = {
  maxFindings: MAX_FINDINGS,
  settling:
    'A critical or high finding is settled once an operator has answered it with FIXED or DISPUTED and an auditor has confirmed; medium and low ones by an answer other than ACCEPTED; INFO asks for none.',
  closing: 'An engagement closes after a finding of an auditor, with none critical or high open.',
};
const Rules = exactly(
  { maxFindings: Type.Integer(), settling: Type.String(), closing: Type.String() },
  { title: 'AuditRules' },
);

export const auditRegistry = defineDocument({
  name: 'NET-AUDIT-REGISTRY/1',
  route: '/v1/audits',
  operationId: 'listAudits',
  tag: 'readiness',
  summary: 'Audit engagements and how many findings are open',
  description: 'Audit engagements, newest first, with counts of their findings.',
  query: { status: Type.Optional(Status), ...PAGE_QUERY },
  content: {
    closed: Type.Integer(),
    findings: Type.Integer(),
    open: OpenFindings,
    rules: Rules,
    engagements: Type.Array(Engagement),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { status, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'audit-engagement', {
      ...(status === undefined
        ? { list: 'audit-engagements' }
        : { list: 'audit-engagements-by-status', value: status }),
      filters: { status: status ?? null },
      page,
      total: status === undefined ? counterOf(snapshot, 'audit-engagements') : null,
    });
    return {
      total,
      closed: counterOf(snapshot, 'audit-engagements-closed'),
      findings: counterOf(snapshot, 'audit-findings'),
      open: {
        CRITICAL: counterOf(snapshot, 'open-findings-critical'),
        HIGH: counterOf(snapshot, 'open-findings-high'),
        MEDIUM: counterOf(snapshot, 'open-findings-medium'),
        LOW: counterOf(snapshot, 'open-findings-low'),
      },
      rules,
      engagements: items.map((engagement) => describe(snapshot, engagement)),
      nextCursor,
    };
  },
});

export const auditDetail = defineDocument({
  name: 'NET-AUDIT-DETAIL/1',
  route: '/v1/audits/:engagementId',
  operationId: 'getAudit',
  tag: 'readiness',
  summary: 'One audit engagement with its findings',
  description: 'One audit engagement with its findings as commitments.',
  path: { engagementId: RecordId },
  query: PAGE_QUERY,
  canMiss: true,
  content: {
    engagement: Engagement,
    rules: Rules,
    findings: Type.Array(AuditFindingRecord),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { engagementId, ...page }) => {
    const engagement = snapshot.get('audit-engagement', engagementId);
    if (!engagement) throw new ApiError('AUDIT_NOT_FOUND');
    const { items, total, nextCursor } = pageOf(snapshot, 'audit-finding', {
      list: 'audit-findings-by-engagement',
      value: engagementId,
      filters: { engagementId },
      page,
      total: engagement.findings,
    });
    return {
      engagement: describe(snapshot, engagement),
      rules,
      findings: items,
      total,
      nextCursor,
      links: { proof: proofLink('audit-engagement', engagementId) },
    };
  },
});

function describe(
  { height }: Snapshot,
  engagement: AuditEngagementRecord,
): Static<typeof Engagement> {
  const { status, dueAtHeight } = engagement;
  return { ...engagement, overdue: status === 'OPEN' && hasExpired(dueAtHeight, height + 1) };
}
