/** Session grants, and intents signed by sessions. */
import type { JsonObject } from '@netd/protocol';
import { signatureOf, testKey, type TestKey } from '@netd/protocol/testing';
import type { Submission } from '../block-execution.ts';
import type { TestChain } from './test-chain.ts';

export const sessionKeyOf = (actorId: string, sessionId: string): TestKey =>
  testKey(`${actorId} session ${sessionId}`);

interface Differences {
  members?: JsonObject;
  /** Members of both statement and payload. */
  named?: { genesisHash?: string };
  /** Replaces the session's own key. */
  key?: Pick<TestKey, 'publicKey' | 'publicKeyHash' | 'sign'>;
}

/** May transfer up to 100 unet, except for the differences. */
export function grantOf(
  chain: TestChain,
  agentName: string,
  sessionName: string,
  { members = {}, named = {}, key: other }: Differences = {},
): Submission {
  const [agentId, sessionId] = [chain.id(agentName), chain.id(sessionName)];
  const key = other ?? sessionKeyOf(agentId, sessionId);
  const nonce = chain.freshNonce();
  const { publicKey, publicKeyHash } = key;
  const { chainId } = chain.ledger.genesis;
  const statement = {
    schema: 'NET-SESSION-KEY/1',
    chainId,
    actorId: agentId,
    sessionId,
    publicKey,
    nonce,
    ...named,
  };
  const payload = {
    agentId,
    sessionId,
    publicKey,
    publicKeyHash,
    sessionKeySignature: signatureOf(key, statement),
    actions: ['transfer'],
    budget: 100,
    expiresAtHeight: chain.height + 50,
    ...named,
    ...members,
  };
  return chain.intent(agentId, 'grantSession', payload, { nonce });
}

/** @throws RuleError if the grant is refused */
export function granted(
  chain: TestChain,
  agentId: string,
  sessionId: string,
  members: JsonObject = {},
): TestChain {
  const outcome = chain.submit(grantOf(chain, agentId, sessionId, { members }));
  if (!outcome.ok) throw outcome.refusal;
  return chain;
}

export function bySession(
  chain: TestChain,
  [agentId, sessionId]: readonly [agentId: string, sessionId: string],
  action: string,
  payload: JsonObject,
): Submission {
  const named = chain.id(sessionId);
  const key = sessionKeyOf(chain.id(agentId), named);
  return chain.intent(agentId, action, payload, { key, extra: { sessionId: named } });
}
