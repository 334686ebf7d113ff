/** Roles over HTTP: application, the operator's approval, claim. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import type { HttpNode } from './http-node.ts';

interface RoleTerms {
  actions: readonly string[];
  profile?: JsonObject;
  independenceGroup?: string;
}

/** Gives an actor a role with these actions. The application has the profile, the approval has the group. */
export async function takeRole(
  node: HttpNode,
  actorId: string,
  role: string,
  { actions, profile, independenceGroup }: RoleTerms,
): Promise<void> {
  const { actorId: operator } = node.running.node.dataDir.operator;
  const applicationId = `app-${actorId}-${role}`;
  const application = node.application(actorId, role, {
    applicationId,
    capabilities: actions.map((action) => ({ action })),
    ...(profile ? { profile } : {}),
  });
  const applied = await node.post('/v1/operator-applications', application);
  assert.equal(applied.status, 201, applied.text);
  const { transitionHash } = await node.act(operator, 'createOperatorInvitation', {
    applicationId,
    ...(independenceGroup === undefined ? {} : { independenceGroup }),
  });
  const claimed = await node.post(
    '/v1/operator-invitations/claim',
    node.claim(actorId, transitionHash),
  );
  assert.equal(claimed.status, 201, claimed.text);
}
