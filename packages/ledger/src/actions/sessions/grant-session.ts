import {
  ActorId,
  Amount,
  bytesToHex,
  bytesToSign,
  FreeString,
  Hash,
  Height,
  publicKeyHash as hashOfKey,
  PublicKeyPem,
  rawKeyFromPem,
  RecordId,
  isSignedBy,
} from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction, type Action } from '../../action.ts';
import { holdsCapability } from '../../authority.ts';
import { requireLastHeight } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { requireGenesisHash, requireValidKey } from '../../self-signed.ts';
import { positionOf } from '../../transition.ts';
import { reserveKey } from '../../known-keys.ts';
import { MAX_SESSIONS, sessionIdsOf, sessionKey } from './session.ts';

export function grantSession(grantable: readonly string[]): Action {
  return defineAction({
    name: 'grantSession',
    summary:
      'Let another key act for the agent: some of its actions, within a budget, until a height. It never touches keys, recovery, sessions or capabilities.',
    grant: { AGENT: 'base' },
    keyOnly: true,
    payload: exactly({
      agentId: ActorId,
      sessionId: RecordId,
      publicKey: PublicKeyPem,
      publicKeyHash: FreeString,
      sessionKeySignature: Type.String({
        ...FreeString,
        description:
          'base64 signature of the session key over the canonical JSON of {schema:"NET-SESSION-KEY/1", chainId, actorId, sessionId, publicKey, nonce}, and of genesisHash if the payload has it; nonce is that of the intent.',
      }),
      genesisHash: Type.Optional(
        Type.String({
          ...Hash,
          description: 'That of the chain; from version 2 of the rules on.',
        }),
      ),
      actions: Type.Array(Type.Enum([...grantable], { title: 'SessionAction' }), {
        minItems: 1,
        maxItems: grantable.length,
        uniqueItems: true,
        description: 'Of what the agent itself may do.',
      }),
      budget: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'What may leave the account by it, ever, in unet.',
      }),
      maxAmount: Type.Optional(
        Type.Integer({ ...Amount, description: 'What one execution may take, in unet.' }),
      ),
      expiresAtHeight: Type.Integer({ ...Height, description: 'Its last height.' }),
      label: Type.Optional(Type.String({ maxLength: 280, description: 'Public.' })),
    }),
    actor: 'agentId',
    listsActions: 'actions',
    memberSpans: { genesisHash: { since: 2 } },
    errors: [
      'GENESIS_HASH_MISMATCH',
      'SESSION_EXISTS',
      'SESSION_LIMIT',
      'SESSION_EXPIRED',
      'PUBLIC_KEY_INVALID',
      'PUBLIC_KEY_HASH_MISMATCH',
      'KEY_ALREADY_REGISTERED',
      'SESSION_KEY_PROOF_INVALID',
      'SESSION_TOO_WIDE',
    ],
    events: ['SessionGranted'],

    check({ state, chain, block, grants, authority, nonce }, payload) {
      const { agentId, sessionId, publicKey, publicKeyHash, actions, expiresAtHeight } = payload;
      const { genesisHash } = payload;
      requireGenesisHash(chain, genesisHash, '/payload/genesisHash');
      requireThat(
        !state.get('session', sessionKey(agentId, sessionId)),
        'SESSION_EXISTS',
        '/payload/sessionId',
      );
      requireThat(
        sessionIdsOf(state, agentId).length < MAX_SESSIONS,
        'SESSION_LIMIT',
        '/payload/agentId',
        () => `an agent has at most ${MAX_SESSIONS}`,
      );
      requireLastHeight(expiresAtHeight, block, {
        path: '/payload/expiresAtHeight',
        passed: 'SESSION_EXPIRED',
      });
      const { height } = block;
      const wide = actions.findIndex((one) => !holdsCapability(authority, one, height, grants));
      requireThat(
        wide < 0,
        'SESSION_TOO_WIDE',
        `/payload/actions/${wide}`,
        () => `${agentId} holds no capability for ${actions[wide]}`,
      );
      const path = '/payload/publicKey';
      const rawKey = rawKeyFromPem(publicKey);
      requireThat(rawKey, 'PUBLIC_KEY_INVALID', path, 'it is not an Ed25519 key as SPKI PEM');
      requireThat(
        publicKeyHash === hashOfKey(publicKey),
        'PUBLIC_KEY_HASH_MISMATCH',
        '/payload/publicKeyHash',
      );
      requireThat(!state.get('key', bytesToHex(rawKey)), 'KEY_ALREADY_REGISTERED', path);
      const statement = {
        schema: 'NET-SESSION-KEY/1',
        chainId: chain.chainId,
        actorId: agentId,
        sessionId,
        publicKey,
        nonce,
        ...(genesisHash === undefined ? {} : { genesisHash }),
      };
      requireThat(
        isSignedBy(publicKey, bytesToSign(statement), payload.sessionKeySignature),
        'SESSION_KEY_PROOF_INVALID',
        '/payload/sessionKeySignature',
      );
      requireValidKey(publicKey, path);
    },

    apply(context, payload) {
      const { state, emit } = context;
      const { agentId, sessionId, publicKey, publicKeyHash, budget, expiresAtHeight } = payload;
      const id = sessionKey(agentId, sessionId);
      const actions = payload.actions.toSorted();
      const maxAmount = payload.maxAmount ?? null;
      const label = payload.label ?? null;
      reserveKey(state, publicKey, agentId);
      state.put('session', id, {
        actions,
        agentId,
        budget,
        expiresAtHeight,
        grantedAt: positionOf(context),
        label,
        maxAmount,
        publicKey,
        publicKeyHash,
        sessionId,
        spent: 0,
      });
      state.put('session-roster', agentId, {
        sessionIds: [...sessionIdsOf(state, agentId), sessionId],
      });
      emit('SessionGranted', {
        actions,
        agentId,
        budget,
        expiresAtHeight,
        label,
        maxAmount,
        publicKeyHash,
        sessionId,
      });
    },
  });
}
