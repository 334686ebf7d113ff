import { MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import { OPERATOR } from '../test-chain.ts';
import { beaconOf, checkpointOf, testKey } from '@netd/protocol/testing';
import type { RefusalCase } from './case.ts';

const SECRET = { privateKey: 'nothing that anybody has' };

/** Checks of every intent in order, and one of open transitions. */
export const ENVELOPE_REFUSALS: RefusalCase[] = [
  {
    subject: 'SignedIntent',
    code: 'KEY_MATERIAL_REFUSED',
    rule: 'a secret in a payload is refused before anything else is looked at',
    provoke: (chain) => chain.intent('nobody', 'faucet', { amount: 1, options: [SECRET] }),
  },
  {
    subject: 'AgentRegistration',
    code: 'KEY_MATERIAL_REFUSED',
    rule: 'a private key is not introduced with the public one',
    provoke: (chain) => chain.registration('dave', { description: testKey('dave').privateKeyPem }),
  },
  {
    subject: 'OperatorApplication',
    code: 'KEY_MATERIAL_REFUSED',
    rule: 'open as applications are, they take no secret',
    provoke: (chain) => chain.application('alice', 'GOVERNOR', { contact: { ...SECRET } }),
  },
  {
    subject: 'InvitationClaim',
    code: 'KEY_MATERIAL_REFUSED',
    rule: 'open as claims are, they take no secret',
    provoke: (chain) => chain.claim('alice', 'none', { wallet: { mnemonic: 'twelve words' } }),
  },
  {
    subject: 'OpenTransition',
    code: 'KEY_MATERIAL_REFUSED',
    rule: 'an unsigned transition contains no secret either',
    provoke: (chain) => chain.openTransition('alice', 'commitMemoryCheckpoint', { ...SECRET }),
  },
  {
    subject: 'OpenTransition',
    code: 'SIGNED_INTENT_REQUIRED',
    rule: 'only an open genesis accepts unsigned transitions',
    provoke: (chain) =>
      chain.openTransition('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1)),
  },
  {
    subject: 'SignedIntent',
    code: 'ACTOR_UNKNOWN',
    rule: 'an actor cannot sign before its authority is installed',
    provoke: (chain) => chain.intent('nobody', 'faucet', { amount: 1 }),
  },
  {
    subject: 'SignedIntent',
    code: 'SIGNATURE_INVALID',
    rule: 'another key than the one in force does not sign',
    provoke: (chain) => chain.intent('alice', 'faucet', { amount: 1 }, { key: testKey('mallory') }),
  },
  {
    subject: 'SignedIntent',
    code: 'SIGNATURE_INVALID',
    rule: 'what is not base64 of 64 bytes is no signature',
    provoke: (chain) =>
      chain.intent('alice', 'faucet', { amount: 1 }, { key: { sign: () => 'not base64' } }),
  },
  {
    subject: 'SignedIntent',
    code: 'AUTHORITY_INACTIVE',
    rule: 'a suspended agent acts no more',
    provoke: (chain) => {
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
      return chain.intent('alice', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'CHAIN_ID_MISMATCH',
    rule: 'an intent for another chain stays there',
    provoke: (chain) =>
      chain.intent('alice', 'faucet', { amount: 1 }, { chainId: 'net-elsewhere-1' }),
  },
  {
    subject: 'SignedIntent',
    code: 'INTENT_EXPIRED',
    rule: 'an intent whose expiry is the current height has expired',
    provoke: (chain) =>
      chain.intent('alice', 'faucet', { amount: 1 }, { expiresAtHeight: chain.height }),
  },
  {
    subject: 'SignedIntent',
    code: 'EXPIRY_TOO_FAR',
    rule: 'an intent lives at most 5,000 heights beyond the current one',
    provoke: (chain) => {
      const expiresAtHeight = chain.height + MAX_EXPIRY_DISTANCE + 1;
      return chain.intent('alice', 'faucet', { amount: 1 }, { expiresAtHeight });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'NONCE_REPLAYED',
    rule: 'a byte-identical intent is executed once',
    provoke: (chain) => {
      const intent = chain.intent('alice', 'faucet', { amount: 1 });
      chain.submit(intent);
      return intent;
    },
  },
  {
    subject: 'SignedIntent',
    code: 'ACTION_UNKNOWN',
    rule: 'there is no action beyond the table',
    provoke: (chain) => chain.intent('alice', 'mintNet', { amount: 1 }),
  },
  {
    subject: 'SignedIntent',
    code: 'ACTION_UNKNOWN',
    rule: 'members of every object are not actions',
    provoke: (chain) => chain.intent(OPERATOR, 'constructor', {}),
  },
  {
    subject: 'SignedIntent',
    code: 'CAPABILITY_MISSING',
    rule: 'the base set is all an agent has',
    provoke: (chain) => {
      chain.join(['dave']);
      return chain.intent('dave', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'CAPABILITY_EXPIRED',
    rule: 'a capability is over when its height is the current one',
    provoke: (chain) => {
      const capabilities = [{ action: 'faucet', expiresAtHeight: chain.height }];
      chain.seedAuthority('alice', { capabilities });
      return chain.intent('alice', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'CAPABILITY_AGENT_MISMATCH',
    rule: 'the base set is bound to the agent itself',
    provoke: (chain) => chain.intent('alice', 'publishBeacon', beaconOf('bob', chain.height)),
  },
  {
    subject: 'SignedIntent',
    code: 'CAPABILITY_AMOUNT_EXCEEDED',
    rule: 'a capability may bound the amount of one execution',
    provoke: (chain) => {
      chain.seedAuthority('alice', { capabilities: [{ action: 'faucet', maxAmount: 99 }] });
      return chain.intent('alice', 'faucet', { amount: 100 });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'ROLE_MISSING',
    rule: 'a capability does not replace the role',
    provoke: (chain) => {
      chain.seedAuthority('vera', { roles: ['VERIFIER'], capabilities: [{ action: 'faucet' }] });
      return chain.intent('vera', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'ROLE_MISSING',
    rule: 'what only operators may do has no other role',
    provoke: (chain) => {
      chain.seedAuthority('alice', { capabilities: [{ action: '*' }] });
      return chain.intent('alice', 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
    },
  },
  {
    subject: 'SignedIntent',
    code: 'PAYLOAD_INVALID',
    rule: 'payloads of our own actions take no further members',
    provoke: (chain) => chain.intent('alice', 'faucet', { amount: 1, currency: 'NET' }),
  },
  {
    subject: 'SignedIntent',
    code: 'ACTOR_MISMATCH',
    rule: 'even an operator does not publish the beacon of another',
    provoke: (chain) => chain.intent(OPERATOR, 'publishBeacon', beaconOf('alice', chain.height)),
  },
];
