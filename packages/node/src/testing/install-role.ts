/** Brings an actor into a role on a real node: it applies, the operator invites, and it claims. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import type { HttpNode } from './http-node.ts';

export async function installRole(
  node: HttpNode,
  actorId: string,
  role: string,
  {
    actions,
    profile = {},
    bond = 0,
    independenceGroup,
  }: { actions: string[]; profile?: JsonObject; bond?: number; independenceGroup?: string },
): Promise<void> {
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.join(actorId);
  if (bond > 0) await node.act(operator, 'transfer', { to: actorId, amount: bond });
  const application = node.application(actorId, role, {
    capabilities: actions.map((action) => ({ action })),
    profile,
  });
  const applied = await node.post('/v1/operator-applications', application);
  assert.equal(applied.status, 201, applied.text);
  const { events } = await node.act(operator, 'createOperatorInvitation', {
    applicationId: `app-${actorId}`,
    ...(independenceGroup === undefined ? {} : { independenceGroup }),
  });
  const invitationId = events
    .map(({ data }) => (data as JsonObject)['invitationId'])
    .find((id) => typeof id === 'string') as string;
  const claimed = await node.post(
    '/v1/operator-invitations/claim',
    node.claim(actorId, invitationId),
  );
  assert.equal(claimed.status, 201, claimed.text);
}

/** An auditor of the group `group-<name>` that may do all an auditor may with wallets and audits. */
export async function becomeAuditor(node: HttpNode, actorId: string): Promise<void> {
  await installRole(node, actorId, 'AUDITOR', {
    actions: ['submitAuditFinding', 'attestWalletDistribution'],
    independenceGroup: `group-${actorId}`,
  });
}
