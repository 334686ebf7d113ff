/** Role applications and invitation claims. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { applicationOf, claimOf } from '@netd/protocol/testing';
import { AgentKey, type Actor } from '@netd/sdk';
import { check } from '../check.ts';
import { expectErrorPath, expectProblem, textOf } from '../expect.ts';
import type { Network } from '../network.ts';

const APPLY = '/v1/operator-applications';
const CLAIM = '/v1/operator-invitations/claim';

/** Makes an application within the published bounds, which is approved at once. */
async function application(
  net: Network,
  actorId: string,
  key: AgentKey,
  members: JsonObject = {},
): Promise<JsonObject> {
  const unsigned = applicationOf(
    { actorId, key },
    {
      nonce: net.fresh('n'),
      applicationId: net.fresh('application'),
      role: 'HUMAN',
      capabilities: [{ action: 'transfer', maxAmount: 1_000 }],
      expiresAtHeight: (await net.height()) + 500,
      ...members,
    },
  );
  return key.sign(unsigned);
}

async function signedClaim(
  net: Network,
  actor: Actor,
  invitationId: string,
  members: JsonObject = {},
): Promise<JsonObject> {
  return actor.key.sign(claimOf(actor, { nonce: net.fresh('n'), invitationId, ...members }));
}

export const OPERATOR_CHECKS = [
  check(
    'an applicant is approved, and claims with the same key',
    [
      'post.operator-applications',
      'post.operator-claim',
      'get.operator-applications',
      'service.operator-claims',
      'auth.invitation-bound',
      'signed-object.open',
    ],
    async (net) => {
      const key = await AgentKey.generate();
      const actorId = net.fresh('human');
      const own = { remark: 'a member of its own' };
      const applied = await net.http.post(APPLY, await application(net, actorId, key, own));
      assert.equal(applied.status, 201, 'the application was not committed');
      assert.equal(applied.body['status'], 'APPROVED');
      const invitationId = textOf(applied.body['invitationId']);
      const { applications } = await net.http.document(`${APPLY}?limit=1000`);
      const listed = (applications as JsonObject[]).find((item) => item['actorId'] === actorId);
      assert.equal(listed?.['status'], 'APPROVED');
      const thief = await AgentKey.generate();
      expectProblem(
        await net.http.post(CLAIM, await signedClaim(net, { actorId, key: thief }, invitationId)),
        409,
      );
      const claim = await signedClaim(net, { actorId, key }, invitationId, own);
      assert.equal((await net.http.post(CLAIM, claim)).status, 201);
      const again = await signedClaim(net, { actorId, key }, invitationId);
      expectProblem(await net.http.post(CLAIM, again), 409);
    },
  ),

  check(
    'applications and claims need the signature of the key they are for',
    ['signed-object.signature', 'auth.self-signed'],
    async (net) => {
      const key = await AgentKey.generate();
      const foreign = await AgentKey.generate();
      const actorId = net.fresh('human');
      const signed = await application(net, actorId, key);
      const claim = await signedClaim(net, { actorId, key }, net.fresh('invitation'));
      for (const [path, envelope] of [
        [APPLY, signed],
        [CLAIM, claim],
      ] as const) {
        const { signature, ...unsigned } = envelope;
        for (const bad of [unsigned, { ...unsigned, signature: 7 }]) {
          const answer = await net.http.post(path, bad);
          expectProblem(answer, 400, 'ENVELOPE_INVALID');
          expectErrorPath(answer, '/signature');
        }
        const other = await foreign.sign(unsigned);
        for (const wrong of ['not base64', other.signature]) {
          const answer = await net.http.post(path, { ...unsigned, signature: wrong });
          expectProblem(answer, 409, 'SIGNATURE_INVALID');
        }
        assert.equal(typeof signature, 'string');
      }
    },
  ),

  check(
    'an application without approval cannot be claimed',
    ['auth.invitation-approved'],
    async (net) => {
      const key = await AgentKey.generate();
      const actorId = net.fresh('wants');
      // Only an operator grants this role.
      const wide = await application(net, actorId, key, {
        role: 'GOVERNOR',
        capabilities: [{ action: 'submitProposal' }],
      });
      const applied = await net.http.post(APPLY, wide);
      assert.equal(applied.status, 201);
      assert.equal(applied.body['status'], 'PENDING');
      for (const guess of [textOf(wide['applicationId']), 'f'.repeat(64)]) {
        expectProblem(
          await net.http.post(CLAIM, await signedClaim(net, { actorId, key }, guess)),
          409,
        );
      }
    },
  ),
];
