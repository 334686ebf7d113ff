/** Roles from an operator: apply, get invited, claim. */
import assert from 'node:assert/strict';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { applicationOf, claimOf } from '@netd/protocol/testing';
import type { Actor } from '@netd/sdk';
import { textOf } from '../expect.ts';
import type { Network } from '../network.ts';

const BOND = 100 * UNET_PER_NET;

/**
 * Returns an agent of the cast in a bonded role; the operator lends the bond.
 * @param options.profile members required beside the bond
 * @param options.invitation terms that the operator sets
 * @throws Skip if no operator is available
 */
export function inRole(
  net: Network,
  name: string,
  role: 'RUNTIME_PROVIDER' | 'VERIFIER',
  options: { actions: readonly string[]; profile?: JsonObject; invitation?: JsonObject },
): Promise<Actor> {
  return net.once(`role of ${name}`, async () => {
    const operator = await net.operator();
    const actor = await net.agent(name);
    await net.does(operator, 'transfer', { to: actor.actorId, amount: BOND });
    const applicationId = net.fresh('application');
    const application = applicationOf(actor, {
      nonce: net.fresh('n'),
      applicationId,
      role,
      capabilities: options.actions.map((action) => ({ action })),
      profile: { bond: BOND, ...options.profile },
      expiresAtHeight: (await net.height()) + 500,
    });
    const applied = await net.http.post(
      '/v1/operator-applications',
      await actor.key.sign(application),
    );
    assert.equal(applied.status, 201, `${name} could not apply`);
    const { events } = await net.does(operator, 'createOperatorInvitation', {
      applicationId,
      ...options.invitation,
    });
    const invitationId = events
      .map(({ data }) => (data as JsonObject)['invitationId'])
      .find((id) => typeof id === 'string');
    const claim = claimOf(actor, { nonce: net.fresh('n'), invitationId: textOf(invitationId) });
    const claimed = await net.http.post(
      '/v1/operator-invitations/claim',
      await actor.key.sign(claim),
    );
    assert.equal(claimed.status, 201, `${name} could not claim`);
    return actor;
  });
}
