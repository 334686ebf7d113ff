/**
 * One action, signed by its actor, a session or the laboratory key. The order of the checks is part of the
 * protocol: actor and session known, signature, authority active, chain id and genesis hash, expiry, nonce,
 * session expiry, action known, capability, session bounds, role, payload schema, actor binding, then the
 * rules of the action.
 */
import { MAX_EXPIRY_DISTANCE, SignedIntent, isSignedBy } from '@netd/protocol';
import { requireActive } from '../authority.ts';
import type { SessionRecord } from '../actions/sessions/records.ts';
import { requireSession } from '../actions/sessions/session.ts';
import type { AuthorityRecord } from '../chain-records.ts';
import { requireFreshNonce } from '../replay-protection.ts';
import { hasExpired, requireLastHeight } from '../deadline.ts';
import { substituteKey } from '../laboratory.ts';
import { requireThat } from '../rule-error.ts';
import { requireGenesisHashAllowed, requireOwnChain } from '../self-signed.ts';
import type { ReadableState } from '../state.ts';
import { defineTransition, type SubmittedEnvelope } from '../transition.ts';
import { ACTION_ERRORS, applyAction, checkAction, type CheckedAction } from './run-action.ts';

export interface CheckedIntent {
  action: CheckedAction;
  nonceHash: string;
}

export const intent = defineTransition<SignedIntent, CheckedIntent>({
  kind: 'intent',
  name: 'SignedIntent',
  summary: 'One action, signed by the actor who asks for it.',
  envelope: SignedIntent,
  errors: [
    'ACTOR_UNKNOWN',
    'SIGNATURE_INVALID',
    'AUTHORITY_INACTIVE',
    'CHAIN_ID_MISMATCH',
    'GENESIS_HASH_MISMATCH',
    'INTENT_EXPIRED',
    'EXPIRY_TOO_FAR',
    'NONCE_REPLAYED',
    'SESSION_UNKNOWN',
    'SESSION_EXPIRED',
    'SESSION_ACTION_MISSING',
    'SESSION_AMOUNT_EXCEEDED',
    'SESSION_BUDGET_EXCEEDED',
    'ACTION_UNKNOWN',
    ...ACTION_ERRORS,
  ],
  events: [],
  duplicate: { code: 'NONCE_REPLAYED', path: '/nonce' },

  check(context, submitted) {
    const { envelope } = submitted;
    const authority = requireAuthority(context.state, envelope.actorId);
    const session = sessionOf(context.state, envelope);
    requireSignature(submitted, [
      session?.publicKey ?? authority.publicKey,
      substituteKey(context.chain),
    ]);
    requireActive(authority);
    requireGenesisHashAllowed(context, envelope);
    requireOwnChain(context, envelope);
    requireLastHeight(envelope.expiresAtHeight, context.block, {
      path: '/expiresAtHeight',
      passed: 'INTENT_EXPIRED',
      ahead: { most: MAX_EXPIRY_DISTANCE, tooFar: 'EXPIRY_TOO_FAR' },
    });
    const nonceHash = requireFreshNonce(context.state, envelope, context.block.height);
    if (session) {
      const isOver = hasExpired(session.expiresAtHeight, context.block.height);
      requireThat(!isOver, 'SESSION_EXPIRED', '/sessionId');
    }
    return { action: checkAction(context, authority, envelope, session), nonceHash };
  },

  apply(context, { expiresAtHeight }, { action, nonceHash }) {
    applyAction(context, action);
    context.state.spendNonce(nonceHash, expiresAtHeight);
  },
});

/** Returns null if the actor's own key signs. */
function sessionOf(
  state: ReadableState,
  { actorId, sessionId }: Pick<SignedIntent, 'actorId' | 'sessionId'>,
): SessionRecord | null {
  return sessionId === undefined ? null : requireSession(state, actorId, sessionId, '/sessionId');
}

export function requireAuthority(state: ReadableState, actorId: string): AuthorityRecord {
  const authority = state.get('authority', actorId);
  requireThat(authority, 'ACTOR_UNKNOWN', '/actorId');
  return authority;
}

function requireSignature(
  { envelope, encoded, verifiedWith }: SubmittedEnvelope<SignedIntent>,
  keys: readonly (string | null)[],
): void {
  const isSigned =
    (verifiedWith !== null && keys.includes(verifiedWith)) ||
    keys.some((key) => key !== null && isSignedBy(key, encoded.signedBytes, envelope.signature));
  requireThat(isSigned, 'SIGNATURE_INVALID', '/signature');
}
