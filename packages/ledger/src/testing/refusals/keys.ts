import type { JsonObject } from '@netd/protocol';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import { signatureOf, testKey, torsionKey } from '@netd/protocol/testing';
import { RECOVERY_DELAY, type RefusalCase } from './case.ts';

/** alice's guardians are bob and carol. */
export function nameGuardians(chain: TestChain, threshold = 2): void {
  const payload = { agentId: 'alice', guardians: ['bob', 'carol'], threshold };
  chain.does('alice', 'setAgentRecovery', payload);
}

/** @returns the request id */
export function requestRecovery(chain: TestChain, keyName: string, guardian = 'bob'): string {
  const request = chain.recoveryRequest(guardian, 'alice', testKey(keyName));
  const outcome = chain.submit(request);
  if (!outcome.ok) throw outcome.refusal;
  return request.encoded.transitionHash;
}

export function onRequest(agentId: string, requestId: string): JsonObject {
  return { agentId, recoveringAgentId: 'alice', requestId };
}

/** An approved request after its delay. */
export function ripeRecovery(chain: TestChain, keyName = 'alice 2'): string {
  nameGuardians(chain);
  const requestId = requestRecovery(chain, keyName);
  chain.does('carol', 'approveAgentRecovery', onRequest('carol', requestId));
  chain.ledger.advance(RECOVERY_DELAY.heights, RECOVERY_DELAY.milliseconds);
  return requestId;
}

const NO_REQUEST = '00'.repeat(32);

export const KEY_REFUSALS: RefusalCase[] = [
  {
    subject: 'rotateAgentKey',
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a text that is not SPKI PEM is no key',
    provoke: (chain) =>
      chain.intent('alice', 'rotateAgentKey', {
        agentId: 'alice',
        newPublicKey: 'a key',
        newKeySignature: '',
      }),
  },
  {
    subject: 'rotateAgentKey',
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a new key with a torsion part is refused although its signature holds',
    provoke: (chain) => {
      const nonce = chain.freshNonce();
      const next = torsionKey('alice 2');
      const statement = {
        schema: 'NET-KEY-ROTATION/1',
        chainId: chain.ledger.genesis.chainId,
        actorId: 'alice',
        oldKeyHash: chain.keyOf('alice').publicKeyHash,
        newPublicKey: next.publicKey,
        nonce,
      };
      const payload = {
        agentId: 'alice',
        newPublicKey: next.publicKey,
        newKeySignature: signatureOf(next, statement),
      };
      return chain.intent('alice', 'rotateAgentKey', payload, { nonce });
    },
  },
  {
    subject: 'rotateAgentKey',
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'the key of another actor is taken',
    provoke: (chain) => chain.rotation('alice', testKey('bob')),
  },
  {
    subject: 'rotateAgentKey',
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'the own key does not replace itself',
    provoke: (chain) => chain.rotation('alice', testKey('alice')),
  },
  {
    subject: 'rotateAgentKey',
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'a rotated-out key never comes back',
    provoke: (chain) => {
      chain.submit(chain.rotation('alice', testKey('alice 2')));
      chain.keys.set('alice', testKey('alice 2'));
      return chain.rotation('alice', testKey('alice'));
    },
  },
  {
    subject: 'rotateAgentKey',
    code: 'ROTATION_SIGNATURE_INVALID',
    rule: 'a rotation is also signed by the new key',
    provoke: (chain) =>
      chain.rotation('alice', { ...testKey('alice 2'), sign: testKey('mallory').sign }),
  },
  {
    subject: 'rotateAgentKey',
    code: 'ROTATION_SIGNATURE_INVALID',
    rule: 'what the new key signed counts for one nonce',
    provoke: (chain) => {
      const { payload } = chain.rotation('alice', testKey('alice 2')).envelope;
      return chain.intent('alice', 'rotateAgentKey', payload as JsonObject);
    },
  },
  {
    subject: 'setAgentRecovery',
    code: 'RECOVERY_THRESHOLD_INVALID',
    rule: 'the threshold is not above the number of guardians',
    provoke: (chain) =>
      chain.intent('alice', 'setAgentRecovery', {
        agentId: 'alice',
        guardians: ['bob'],
        threshold: 2,
      }),
  },
  {
    subject: 'setAgentRecovery',
    code: 'RECOVERY_THRESHOLD_INVALID',
    rule: 'guardians without a threshold guard nothing',
    provoke: (chain) =>
      chain.intent('alice', 'setAgentRecovery', {
        agentId: 'alice',
        guardians: ['bob'],
        threshold: 0,
      }),
  },
  {
    subject: 'setAgentRecovery',
    code: 'RECOVERY_THRESHOLD_INVALID',
    rule: 'without guardians the threshold is 0',
    provoke: (chain) =>
      chain.intent('alice', 'setAgentRecovery', { agentId: 'alice', guardians: [], threshold: 1 }),
  },
  {
    subject: 'setAgentRecovery',
    code: 'GUARDIAN_UNKNOWN',
    rule: 'an agent cannot be its own guardian',
    provoke: (chain) =>
      chain.intent('alice', 'setAgentRecovery', {
        agentId: 'alice',
        guardians: ['bob', 'alice'],
        threshold: 1,
      }),
  },
  {
    subject: 'setAgentRecovery',
    code: 'GUARDIAN_UNKNOWN',
    rule: 'guardians are agents',
    provoke: (chain) =>
      chain.intent('alice', 'setAgentRecovery', {
        agentId: 'alice',
        guardians: [OPERATOR],
        threshold: 1,
      }),
  },
  {
    subject: 'setAgentRecovery',
    code: 'GUARDIAN_UNKNOWN',
    rule: 'a suspended agent is not named as a guardian',
    provoke: (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
      const payload = { agentId: 'alice', guardians: ['bob'], threshold: 1 };
      return chain.intent('alice', 'setAgentRecovery', payload);
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'AGENT_UNKNOWN',
    rule: 'only agents are recovered',
    provoke: (chain) => chain.recoveryRequest('bob', OPERATOR, testKey('operator 2')),
  },
  {
    subject: 'requestAgentRecovery',
    code: 'AGENT_RETIRED',
    rule: 'a retired agent is not recovered',
    provoke: (chain) => {
      nameGuardians(chain);
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'retired' });
      return chain.recoveryRequest('bob', 'alice', testKey('alice 2'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'RECOVERY_NOT_CONFIGURED',
    rule: 'a key cannot be recovered without guardians',
    provoke: (chain) => chain.recoveryRequest('bob', 'alice', testKey('alice 2')),
  },
  {
    subject: 'requestAgentRecovery',
    code: 'RECOVERY_NOT_CONFIGURED',
    rule: 'guardians that were given up count no more after the delay',
    provoke: (chain) => {
      nameGuardians(chain);
      const none = { agentId: 'alice', guardians: [], threshold: 0 };
      chain.does('alice', 'setAgentRecovery', none);
      chain.ledger.advance(RECOVERY_DELAY.heights, RECOVERY_DELAY.milliseconds);
      return chain.recoveryRequest('bob', 'alice', testKey('alice 2'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'NOT_A_GUARDIAN',
    rule: 'only a guardian asks for a recovery',
    provoke: (chain) => {
      nameGuardians(chain);
      chain.join(['dave']);
      return chain.recoveryRequest('dave', 'alice', testKey('alice 2'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'RECOVERY_PENDING',
    rule: 'one recovery is pending at a time',
    provoke: (chain) => {
      nameGuardians(chain);
      requestRecovery(chain, 'alice 2');
      return chain.recoveryRequest('carol', 'alice', testKey('alice 3'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a text that is not SPKI PEM is no key',
    provoke: (chain) => {
      nameGuardians(chain);
      return chain.recoveryRequest('bob', 'alice', { ...testKey('alice 2'), publicKey: 'a key' });
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'PUBLIC_KEY_INVALID',
    rule: 'a new key with a torsion part is refused although its signature holds',
    provoke: (chain) => {
      nameGuardians(chain);
      return chain.recoveryRequest('bob', 'alice', torsionKey('alice 2'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'the key of another actor is taken',
    provoke: (chain) => {
      nameGuardians(chain);
      return chain.recoveryRequest('bob', 'alice', testKey('bob'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'KEY_ALREADY_REGISTERED',
    rule: 'the key of a cancelled request stays reserved',
    provoke: (chain) => {
      nameGuardians(chain);
      const requestId = requestRecovery(chain, 'alice 2');
      chain.does('alice', 'cancelAgentRecovery', { agentId: 'alice', requestId });
      return chain.recoveryRequest('bob', 'alice', testKey('alice 2'));
    },
  },
  {
    subject: 'requestAgentRecovery',
    code: 'ROTATION_SIGNATURE_INVALID',
    rule: 'a recovery request is also signed by the new key',
    provoke: (chain) => {
      nameGuardians(chain);
      const next = { ...testKey('alice 2'), sign: testKey('mallory').sign };
      return chain.recoveryRequest('bob', 'alice', next);
    },
  },
  {
    subject: 'approveAgentRecovery',
    code: 'RECOVERY_NOT_FOUND',
    rule: 'there is nothing to approve before a request',
    provoke: (chain) => {
      nameGuardians(chain);
      return chain.intent('carol', 'approveAgentRecovery', onRequest('carol', NO_REQUEST));
    },
  },
  {
    subject: 'approveAgentRecovery',
    code: 'RECOVERY_NOT_FOUND',
    rule: 'an approval is for the request that is pending, not for an earlier one',
    provoke: (chain) => {
      nameGuardians(chain);
      const requestId = requestRecovery(chain, 'alice 2');
      chain.does('alice', 'cancelAgentRecovery', { agentId: 'alice', requestId });
      requestRecovery(chain, 'alice 3');
      return chain.intent('carol', 'approveAgentRecovery', onRequest('carol', requestId));
    },
  },
  {
    subject: 'approveAgentRecovery',
    code: 'NOT_A_GUARDIAN',
    rule: 'only a guardian approves',
    provoke: (chain) => {
      nameGuardians(chain);
      const requestId = requestRecovery(chain, 'alice 2');
      chain.join(['dave']);
      return chain.intent('dave', 'approveAgentRecovery', onRequest('dave', requestId));
    },
  },
  {
    subject: 'approveAgentRecovery',
    code: 'RECOVERY_ALREADY_APPROVED',
    rule: 'the request is the first approval',
    provoke: (chain) => {
      nameGuardians(chain);
      const requestId = requestRecovery(chain, 'alice 2');
      return chain.intent('bob', 'approveAgentRecovery', onRequest('bob', requestId));
    },
  },
  {
    subject: 'executeAgentRecovery',
    code: 'RECOVERY_NOT_FOUND',
    rule: 'a recovery is executed once',
    provoke: (chain) => {
      const requestId = ripeRecovery(chain);
      chain.does('bob', 'executeAgentRecovery', onRequest('bob', requestId));
      return chain.intent('bob', 'executeAgentRecovery', onRequest('bob', requestId));
    },
  },
  {
    subject: 'executeAgentRecovery',
    code: 'NOT_A_GUARDIAN',
    rule: 'only a guardian executes',
    provoke: (chain) => {
      const requestId = ripeRecovery(chain);
      chain.join(['dave']);
      return chain.intent('dave', 'executeAgentRecovery', onRequest('dave', requestId));
    },
  },
  {
    subject: 'executeAgentRecovery',
    code: 'RECOVERY_NOT_APPROVED',
    rule: 'waiting does not replace the approval of the others',
    provoke: (chain) => {
      nameGuardians(chain);
      const requestId = requestRecovery(chain, 'alice 2');
      chain.ledger.advance(RECOVERY_DELAY.heights - 2, RECOVERY_DELAY.milliseconds);
      return chain.intent('bob', 'executeAgentRecovery', onRequest('bob', requestId));
    },
  },
  {
    subject: 'executeAgentRecovery',
    code: 'RECOVERY_DELAY_PENDING',
    rule: 'approval does not replace the protective delay',
    provoke: (chain) => {
      nameGuardians(chain, 1);
      const requestId = requestRecovery(chain, 'alice 2');
      return chain.intent('bob', 'executeAgentRecovery', onRequest('bob', requestId));
    },
  },
  {
    subject: 'executeAgentRecovery',
    code: 'AGENT_RETIRED',
    rule: 'retirement stops a pending recovery',
    provoke: (chain) => {
      const requestId = ripeRecovery(chain);
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'retired' });
      return chain.intent('bob', 'executeAgentRecovery', onRequest('bob', requestId));
    },
  },
  {
    subject: 'cancelAgentRecovery',
    code: 'RECOVERY_NOT_FOUND',
    rule: 'there is nothing to cancel before a request',
    provoke: (chain) => {
      nameGuardians(chain);
      const payload = { agentId: 'alice', requestId: NO_REQUEST };
      return chain.intent('alice', 'cancelAgentRecovery', payload);
    },
  },
  {
    subject: 'cancelAgentRecovery',
    code: 'RECOVERY_CANCELS_EXHAUSTED',
    rule: 'a key cancels twice',
    provoke: (chain) => {
      nameGuardians(chain);
      for (const name of ['alice 2', 'alice 3']) {
        const requestId = requestRecovery(chain, name);
        chain.does('alice', 'cancelAgentRecovery', { agentId: 'alice', requestId });
      }
      const requestId = requestRecovery(chain, 'alice 4');
      return chain.intent('alice', 'cancelAgentRecovery', { agentId: 'alice', requestId });
    },
  },
];
