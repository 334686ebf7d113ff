/** An auditor on a real node, of the group `group-<name>`, that may do what audits and wallet builds ask of it. */
import type { HttpNode } from './http-node.ts';
import { takeRole } from './roles.ts';

export async function becomeAuditor(node: HttpNode, actorId: string): Promise<void> {
  await node.join(actorId);
  await takeRole(node, actorId, 'AUDITOR', {
    actions: ['submitAuditFinding', 'attestWalletDistribution'],
    profile: {},
    independenceGroup: `group-${actorId}`,
  });
}
