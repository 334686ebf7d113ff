/** Registration: each field of the envelope, and its grants. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject, Receipt } from '@netd/protocol';
import { AgentKey } from '@netd/sdk';
import { expectReceipt } from '../certified-state.ts';
import { check } from '../check.ts';
import { expectErrorPath, expectProblem, membersOf } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Network } from '../network.ts';

/** Sends a registration that was changed after signing. */
async function tampered(net: Network, members: Record<string, unknown>): Promise<Answer> {
  const honest = await net.registration(net.fresh('never'), await AgentKey.generate());
  return net.http.post('/v1/agents/register', defined({ ...honest, ...members }));
}

/** Sends a registration with these members, signed by its agent. */
async function signed(net: Network, actorId: string, members: JsonObject): Promise<Answer> {
  const envelope = await net.registration(actorId, await AgentKey.generate(), members);
  return net.http.post('/v1/agents/register', envelope);
}

const defined = (members: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

const required = (member: string, ...bad: unknown[]) =>
  check(
    `a registration needs ${member}`,
    [`registration.${member}` as 'registration.nonce'],
    async (net) => {
      for (const value of [undefined, 7, ...bad]) {
        const answer = await tampered(net, { [member]: value });
        expectProblem(answer, 400, 'ENVELOPE_INVALID');
        expectErrorPath(answer, `/${member}`);
      }
    },
  );

export const REGISTRATION_CHECKS = [
  required('actorId', '', '-starts-badly', 'with space'),
  required('publicKey'),
  required('publicKeyHash'),
  required('nonce', ''),
  required('signature'),

  check(
    'an agent joins with a key of its own and one envelope',
    [
      'post.register',
      'service.onboarding.own-key',
      'auth.ed25519',
      'registration.publicKey',
      'agent.active',
      'service.json-over-http',
      'auth.registration-signed',
    ],
    async (net) => {
      const { answer, actorId, key } = await net.agent('joins', { description: 'checks nodes' });
      assert.equal(answer.headers.get('content-type')?.split(';')[0], 'application/json');
      await expectReceipt(net.http, answer.body['receipt'] as unknown as Receipt);
      const { agents } = await net.http.document('/v1/agents?limit=1000');
      const listed = (agents as JsonObject[]).find(({ agentId }) => agentId === actorId);
      assert.equal(listed?.['status'], 'active');
      assert.equal(listed['publicKeyHash'], key.publicKeyHash);
      assert.equal(listed['description'], 'checks nodes');
    },
  ),

  check(
    'joining gives the base set, bound to the agent, and no owner',
    ['service.onboarding.capabilities', 'service.onboarding.no-owner', 'auth.capability-set'],
    async (net) => {
      const first = await net.agent('joins');
      const second = await net.agent('joins-too');
      const [one, two] = await Promise.all(
        [first, second].map(({ actorId }) => net.http.document(`/v1/agents/${actorId}`)),
      );
      const capabilitiesOf = (document: JsonObject | undefined): JsonObject[] => {
        for (const [name, , value] of membersOf(document ?? {})) {
          if (name === 'capabilities' && Array.isArray(value) && value.length > 0) {
            return value.map((item) =>
              typeof item === 'string' ? { action: item } : item,
            ) as never;
          }
        }
        return [];
      };
      const actions = (document: JsonObject | undefined): unknown[] =>
        capabilitiesOf(document).map(({ action }) => action);
      assert.ok(actions(one).includes('acceptWork'));
      assert.deepEqual(actions(one), actions(two), 'the set is not the same for everybody');
      for (const [agent, document] of [
        [first, one],
        [second, two],
      ] as const) {
        for (const { agentId = agent.actorId } of capabilitiesOf(document)) {
          assert.equal(agentId, agent.actorId, 'a capability of another agent');
        }
        for (const [name] of membersOf(document ?? {})) assert.doesNotMatch(name, /owner/i);
      }
      // Capabilities outside the set, and acting for another agent, are refused.
      expectProblem(await net.tries(first, 'faucet', { amount: 1 }), 409, 'CAPABILITY_MISSING');
      const foreign = await net.tries(first, 'withdrawBeacon', { agentId: second.actorId });
      expectProblem(foreign, 409);
    },
  ),

  check('names have 2 to 64 safe characters', ['id.actor'], async (net) => {
    const suffix = `-${net.fresh('x')}`;
    const longest = `${'a'.repeat(64 - suffix.length)}${suffix}`;
    const fits = await signed(net, longest, {});
    assert.equal(fits.status, 201, 'a name of 64 characters was refused');
    for (const bad of [`a${longest}`, 'a', '.dot', 'a/b', 'ä1', 'a b', `${net.fresh('x')}\n`]) {
      expectProblem(await signed(net, bad, {}), 400, 'ENVELOPE_INVALID');
    }
  }),

  check(
    'a description has at most 280 characters, and may be left out',
    ['limit.description', 'registration.description'],
    async (net) => {
      const fits = await signed(net, net.fresh('described'), { description: '𝄞'.repeat(280) });
      assert.equal(fits.status, 201, '280 characters were refused');
      const without = await signed(net, net.fresh('described'), {});
      assert.equal(without.status, 201);
      const over = await signed(net, net.fresh('described'), { description: 'x'.repeat(281) });
      expectProblem(over, 400, 'ENVELOPE_INVALID');
      expectErrorPath(over, '/description');
    },
  ),

  check(
    'a recruiter is an active agent, and has the referral on record as pending',
    [
      'registration.referrerAgentId',
      'service.onboarding.referral',
      'referral.pending',
      'referral.qualified',
      'get.referrals',
      'get.referrals.referrer',
      'error.register-409.referrer',
    ],
    async (net) => {
      const referrer = await net.agent('recruiter');
      const recruit = await net.agent('recruit', { referrerAgentId: referrer.actorId });
      const path = `/v1/referrals?referrer=${referrer.actorId}`;
      const { referrals } = await net.http.document(path);
      const [referral, ...others] = referrals as JsonObject[];
      assert.equal(others.length, 0);
      assert.equal(referral?.['agentId'], recruit.actorId);
      assert.equal(referral['referrerAgentId'], referrer.actorId);
      assert.equal(referral['status'], 'pending', 'joining alone qualified a referral');
      assert.deepEqual((await net.http.document('/v1/referrals?referrer=absent'))['referrals'], []);
      const bad = await signed(net, net.fresh('x'), { referrerAgentId: net.fresh('absent') });
      expectProblem(bad, 409, 'REFERRER_UNKNOWN');
    },
  ),

  check(
    'only an Ed25519 key with its own hash registers',
    ['registration.publicKey', 'registration.publicKeyHash', 'error.register-409.identity'],
    async (net) => {
      const { publicKey } = generateKeyPairSync('x25519');
      const other = publicKey.export({ type: 'spki', format: 'pem' }) as string;
      for (const bad of ['no key', other]) {
        expectProblem(await tampered(net, { publicKey: bad }), 409);
      }
      const foreign = await AgentKey.generate();
      const answer = await signed(net, net.fresh('x'), { publicKeyHash: foreign.publicKeyHash });
      expectProblem(answer, 409, 'PUBLIC_KEY_HASH_MISMATCH');
    },
  ),

  check(
    'a registration counts only with the signature of its own key',
    ['error.register-409.signature', 'registration.signature', 'auth.registration-signed'],
    async (net) => {
      const actorId = net.fresh('unsigned');
      const honest = await net.registration(actorId, await AgentKey.generate());
      const foreign = await net.registration(actorId, await AgentKey.generate());
      for (const signature of [foreign['signature'], 'not base64', '']) {
        const answer = await net.http.post('/v1/agents/register', {
          ...honest,
          signature: signature as string,
        });
        expectProblem(answer, 409, 'SIGNATURE_INVALID');
      }
      const changed = await net.http.post('/v1/agents/register', { ...honest, description: 'x' });
      expectProblem(changed, 409, 'SIGNATURE_INVALID');
      expectProblem(await net.http.get(`/v1/agents/${actorId}/operations`), 404);
    },
  ),

  check(
    'a name and a key register once',
    ['error.register-409.duplicate', 'error.register-409.identity'],
    async (net) => {
      const { actorId, key } = await net.agent('joins');
      expectProblem(await signed(net, actorId, {}), 409, 'AGENT_EXISTS');
      const again = await net.registration(net.fresh('duplicate'), key);
      const answer = await net.http.post('/v1/agents/register', again);
      expectProblem(answer, 409, 'KEY_ALREADY_REGISTERED');
    },
  ),
];
