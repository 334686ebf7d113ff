import { ActorId, FreeString, Hash, PublicKeyPem } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { endSessions } from '../sessions/session.ts';
import { installKey, requireNewKey } from './key-change.ts';
import { reserveKey } from '../../known-keys.ts';
import { requireGenesisHash } from '../../self-signed.ts';

export const rotateAgentKey = defineAction({
  name: 'rotateAgentKey',
  summary:
    'Replace your key: signed by the old key, and by the new one over NET-KEY-ROTATION/1 in newKeySignature.',
  grant: { AGENT: 'base' },
  keyOnly: true,
  payload: exactly({
    agentId: ActorId,
    newPublicKey: PublicKeyPem,
    newKeySignature: Type.String({
      ...FreeString,
      description:
        'base64 signature of the new key over the canonical JSON of {schema:"NET-KEY-ROTATION/1", chainId, actorId, oldKeyHash, newPublicKey, nonce}, and of genesisHash if the payload has it; nonce is that of the intent.',
    }),
    genesisHash: Type.Optional(
      Type.String({ ...Hash, description: 'That of the chain; from version 2 of the rules on.' }),
    ),
  }),
  actor: 'agentId',
  memberSpans: { genesisHash: { since: 2 } },
  errors: [
    'GENESIS_HASH_MISMATCH',
    'PUBLIC_KEY_INVALID',
    'KEY_ALREADY_REGISTERED',
    'ROTATION_SIGNATURE_INVALID',
  ],
  events: ['AgentKeyRotated', 'SessionEnded'],

  check({ state, chain, authority, nonce }, { newPublicKey, newKeySignature, genesisHash }) {
    requireGenesisHash(chain, genesisHash, '/payload/genesisHash');
    requireNewKey(state, newPublicKey, newKeySignature, {
      schema: 'NET-KEY-ROTATION/1',
      chainId: chain.chainId,
      actorId: authority.actorId,
      oldKeyHash: authority.publicKeyHash,
      newPublicKey,
      nonce,
      ...(genesisHash === undefined ? {} : { genesisHash }),
    });
  },

  apply(context, { agentId, newPublicKey }) {
    const { state, authority, emit } = context;
    reserveKey(state, newPublicKey, agentId);
    const hashes = installKey(state, authority, newPublicKey);
    count(state, 'key-rotations', 1);
    emit('AgentKeyRotated', { agentId, ...hashes });
    endSessions(context, agentId, 'KEY_ROTATED');
  },
});
