/** A validator candidate on a real node: applies, is invited, claims. */
import assert from 'node:assert/strict';
import { consensusKeyOf } from '@netd/ledger/testing';
import { UNET_PER_NET } from '@netd/protocol';
import type { HttpNode } from './http-node.ts';

export const SELF_BOND = 1_000 * UNET_PER_NET;
export const VALIDATOR = 'block-keeper';

export async function becomeValidator(node: HttpNode): Promise<void> {
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.join(VALIDATOR);
  await node.act(operator, 'transfer', { to: VALIDATOR, amount: SELF_BOND });
  const application = node.application(VALIDATOR, 'VALIDATOR', {
    capabilities: [{ action: 'submitValidatorHeartbeat' }],
    profile: {
      selfBond: SELF_BOND,
      ...consensusKeyOf(VALIDATOR, node.chainId),
      faultDomain: 'rack-1',
    },
  });
  const applied = await node.post('/v1/operator-applications', application);
  assert.equal(applied.status, 201, applied.text);
  const { transitionHash } = await node.act(operator, 'createOperatorInvitation', {
    applicationId: `app-${VALIDATOR}`,
  });
  // An invitation's id is the hash of the approving transition.
  const claim = node.claim(VALIDATOR, transitionHash);
  const claimed = await node.post('/v1/operator-invitations/claim', claim);
  assert.equal(claimed.status, 201, claimed.text);
}
