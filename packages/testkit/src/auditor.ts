/** An auditor in group `group-<name>` who may audit and attest wallet builds. */
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
