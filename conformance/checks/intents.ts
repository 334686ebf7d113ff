/** Signed intents: their members, and their refusals. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { AgentKey } from '@netd/sdk';
import { expectReceipt } from '../certified-state.ts';
import { check } from '../check.ts';
import { expectPayloadInvalid, expectErrorPath, expectProblem } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Network } from '../network.ts';
import { beaconOf } from './payloads.ts';

/** Sends an honest intent with members replaced or removed, before or after signing. */
async function changed(
  net: Network,
  members: Record<string, unknown>,
  when: 'before' | 'after' = 'after',
): Promise<Answer> {
  const actor = await net.agent('intends');
  const payload = beaconOf(actor.actorId, await net.height(), net.fresh('b').length);
  const honest = await net.intent(actor, 'publishBeacon', payload);
  const { signature, ...unsigned } = honest;
  const clean = (envelope: Record<string, unknown>): JsonObject =>
    Object.fromEntries(
      Object.entries(envelope).filter(([, value]) => value !== undefined),
    ) as JsonObject;
  const envelope =
    when === 'before'
      ? await actor.key.sign(clean({ ...unsigned, ...members }))
      : clean({ ...unsigned, signature, ...members });
  return net.http.post('/v1/intents', envelope);
}

const required = (member: string, ...bad: unknown[]) =>
  check(`an intent needs ${member}`, [`intent.${member}` as 'intent.nonce'], async (net) => {
    for (const value of [undefined, ...bad]) {
      const answer = await changed(net, { [member]: value });
      expectProblem(answer, 400, 'ENVELOPE_INVALID');
      expectErrorPath(answer, `/${member}`);
    }
  });

export const INTENT_CHECKS = [
  required('actorId', 7),
  required('nonce', '', 7),
  required('expiresAtHeight', '12', null),
  required('action', 7),
  required('payload', 'text', [], null),
  required('signature', 7),

  check(
    'one endpoint takes every action that an actor signed',
    [
      'post.intents',
      'service.one-intent-endpoint',
      'auth.intents',
      'extension.agentId',
      'auth.action.others',
    ],
    async (net) => {
      const actor = await net.agent('acts');
      const agentId = actor.actorId;
      const receipts = [
        await net.does(actor, 'publishBeacon', beaconOf(agentId, await net.height(), 1)),
        await net.does(actor, 'withdrawBeacon', { agentId }),
        await net.does(actor, 'extendAgentCapabilities', { agentId, actions: ['faucet'] }),
        await net.does(actor, 'faucet', { amount: 1 }),
      ];
      for (const receipt of receipts) {
        await expectReceipt(net.http, receipt);
        const { transitionHash } = receipt;
        const known = await net.http.document(`/v1/transitions/${transitionHash}`);
        assert.equal((known['receipt'] as JsonObject)['transitionHash'], transitionHash);
      }
    },
  ),

  check(
    'an intent that breaks a rule is 409 and says which',
    ['error.intent-409', 'intent.signature', 'intent.expiresAtHeight', 'intent.nonce'],
    async (net) => {
      const actor = await net.agent('intends');
      const height = await net.height();
      const stranger = await AgentKey.generate();
      const foreign = await stranger.sign({ a: 1 });
      const refusals: [Answer, string][] = [
        [await changed(net, { signature: foreign.signature }), 'SIGNATURE_INVALID'],
        [await changed(net, { action: 'withdrawBeacon' }), 'SIGNATURE_INVALID'],
        [await changed(net, { actorId: net.fresh('absent') }, 'before'), 'ACTOR_UNKNOWN'],
        [await changed(net, { action: 'doNothing' }, 'before'), 'ACTION_UNKNOWN'],
        [await changed(net, { expiresAtHeight: 0 }, 'before'), 'INTENT_EXPIRED'],
        [await changed(net, { expiresAtHeight: height + 100_000 }, 'before'), 'EXPIRY_TOO_FAR'],
        [await changed(net, { chainId: 'another-chain' }, 'before'), 'CHAIN_ID_MISMATCH'],
      ];
      for (const [answer, code] of refusals) expectProblem(answer, 409, code);
      const beacon = beaconOf(actor.actorId, height, 1_000);
      const intent = await net.intent(actor, 'publishBeacon', beacon);
      assert.equal((await net.http.post('/v1/intents', intent)).status, 201);
      expectProblem(await net.http.post('/v1/intents', intent), 409, 'NONCE_REPLAYED');
    },
  ),

  check(
    'an extension names its own agent and at least one action',
    ['extension.agentId', 'extension.actions', 'limit.extension-actions'],
    async (net) => {
      const actor = await net.agent('extends');
      const { actorId: agentId } = actor;
      const extend = (payload: JsonObject) => net.tries(actor, 'extendAgentCapabilities', payload);
      expectPayloadInvalid(await extend({ actions: ['faucet'] }), 'agentId');
      expectPayloadInvalid(await extend({ agentId }), 'actions');
      expectPayloadInvalid(await extend({ agentId, actions: [] }), 'actions');
      const other = await net.agent('joins');
      expectProblem(await extend({ agentId: other.actorId, actions: ['faucet'] }), 409);
      assert.equal((await extend({ agentId, actions: ['faucet'] })).status, 201);
      const { events } = await net.does(actor, 'faucet', { amount: 1 });
      assert.equal(events.length, 1);
    },
  ),

  check(
    'an extension stays within the devnet agent policy set',
    ['extension.policy-set', 'auth.extension-subset'],
    async (net) => {
      const actor = await net.agent('extends');
      for (const action of ['*', 'voteWork', 'revokeAuthority', 'setAgentStatus', 'nothing']) {
        const payload = { agentId: actor.actorId, actions: ['transfer', action] };
        const answer = await net.tries(actor, 'extendAgentCapabilities', payload);
        expectProblem(answer, 409, 'PAYLOAD_INVALID');
      }
      // A refused extension grants nothing.
      const { actorId: to } = await net.agent('joins');
      const spend = await net.tries(actor, 'transfer', { to, amount: 1 });
      expectProblem(spend, 409, 'CAPABILITY_MISSING');
    },
  ),
];
