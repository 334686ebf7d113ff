/** A runtime provider on a real node: it applies, is invited by the operator, and claims. */
import assert from 'node:assert/strict';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import type { HttpNode } from './http-node.ts';

const BOND = 100 * UNET_PER_NET;
const PROVIDER = 'runtime-keeper';

/** Answers its id. */
export async function becomeProvider(node: HttpNode): Promise<string> {
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.join(PROVIDER);
  await node.act(operator, 'transfer', { to: PROVIDER, amount: BOND });
  const application = node.application(PROVIDER, 'RUNTIME_PROVIDER', {
    capabilities: [{ action: 'registerRuntimeOffer' }, { action: 'attestMemoryRestore' }],
    profile: { bond: BOND, region: 'eu', faultDomain: 'a' },
  });
  const applied = await node.post('/v1/operator-applications', application);
  assert.equal(applied.status, 201, applied.text);
  const { events } = await node.act(operator, 'createOperatorInvitation', {
    applicationId: `app-${PROVIDER}`,
  });
  const invitationId = events
    .map(({ data }) => (data as JsonObject)['invitationId'])
    .find((id) => typeof id === 'string') as string;
  const claimed = await node.post(
    '/v1/operator-invitations/claim',
    node.claim(PROVIDER, invitationId),
  );
  assert.equal(claimed.status, 201, claimed.text);
  return PROVIDER;
}
