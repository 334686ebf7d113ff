import { ActorId, encodeEnvelope, RecordId, SignedIntent, isSignedBy } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { OPERATOR_ONLY } from '../../grants.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';
import type { CheckContext } from '../../transition.ts';
import { sessionKey } from '../sessions/session.ts';
import type { WorkVote } from './records.ts';
import { requireOrder } from './order.ts';
import { evidenceOf, isSlashedFor, partOf, slashVerifier } from './slash-verifier.ts';
import { WORK_VOTES } from './validation-policy.ts';

const signedVote = (description: string) =>
  Type.Object(SignedIntent.properties, {
    additionalProperties: true,
    description: `${description}, exactly as the verifier signed it: an intent of voteWork.`,
  });

export const submitVerifierEvidence = defineAction({
  name: 'submitVerifierEvidence',
  summary:
    'Slash a verifier that signed two different votes on one order: a tenth of its bond goes to the reward pool.',
  grant: OPERATOR_ONLY,
  payload: exactly({
    verifierId: ActorId,
    orderId: RecordId,
    first: signedVote('One vote'),
    second: signedVote('The other one'),
  }),
  errors: [
    'VERIFIER_UNKNOWN',
    'WORK_ORDER_UNKNOWN',
    'NOT_COMMITTEE_MEMBER',
    'EVIDENCE_NOT_ABOUT',
    'EVIDENCE_NOT_CONFLICTING',
    'EVIDENCE_ALREADY_USED',
    'VERIFIER_BOND_EMPTY',
    'EVIDENCE_SIGNATURE_INVALID',
  ],
  events: ['VerifierSlashed'],

  check(context, { verifierId, orderId, ...votes }) {
    const { state } = context;
    const { first, second } = votes as { first: SignedIntent; second: SignedIntent };
    const verifier = state.get('verifier', verifierId);
    requireThat(verifier, 'VERIFIER_UNKNOWN', '/payload/verifierId');
    const order = requireOrder(state, orderId);
    const verification = [order.verification, order.firstVerification].find((jury) =>
      jury?.committee.some((member) => member.verifierId === verifierId),
    );
    requireThat(verification, 'NOT_COMMITTEE_MEMBER', '/payload/verifierId');
    const about = { verifierId, orderId };
    requireVoteAbout(context, about, first, '/payload/first');
    requireVoteAbout(context, about, second, '/payload/second');
    requireThat(
      first.payload['vote'] !== second.payload['vote'],
      'EVIDENCE_NOT_CONFLICTING',
      '/payload/second/payload/vote',
    );
    requireThat(
      !isSlashedFor(state, evidenceOf(verifierId, orderId)),
      'EVIDENCE_ALREADY_USED',
      '/payload/orderId',
    );
    requireThat(partOf(verifier) !== 0, 'VERIFIER_BOND_EMPTY', '/payload/verifierId');
    requireSignature(context, verification.votes, first, '/payload/first/signature');
    requireSignature(context, verification.votes, second, '/payload/second/signature');
    return { verifier };
  },

  apply(context, { verifierId, orderId }, { verifier }) {
    const { authority, emit } = context;
    const { evidenceHash, slashed } = slashVerifier(context, verifier, orderId);
    emit('VerifierSlashed', {
      evidenceHash,
      operatorId: authority.actorId,
      orderId,
      slashed,
      verifierId,
    });
  },
});

/** Rejects intents without a chain id, because the order id may mean another order on another chain. */
function requireVoteAbout(
  { chain }: CheckContext,
  { verifierId, orderId }: { verifierId: string; orderId: string },
  { actorId, action, chainId, payload }: SignedIntent,
  path: string,
): void {
  const agree = (holds: boolean, member: string): void =>
    requireThat(holds, 'EVIDENCE_NOT_ABOUT', `${path}/${member}`);
  agree(actorId === verifierId, 'actorId');
  agree(action === 'voteWork', 'action');
  agree(chainId === chain.chainId, 'chainId');
  agree(payload['verifierId'] === verifierId, 'payload/verifierId');
  agree(payload['orderId'] === orderId, 'payload/orderId');
  agree(
    WORK_VOTES.some((vote) => vote === payload['vote']),
    'payload/vote',
  );
}

/**
 * Accepts only the key in force, because others may hold a replaced one. A session's key counts while the
 * session lives, or if the verifier voted with it on this order.
 */
function requireSignature(
  { state }: CheckContext,
  cast: readonly WorkVote[],
  vote: SignedIntent,
  path: string,
): void {
  const publicKey =
    vote.sessionId === undefined
      ? state.get('authority', vote.actorId)?.publicKey
      : sessionKeyOf(state, cast, { actorId: vote.actorId, sessionId: vote.sessionId });
  const { signedBytes } = encodeEnvelope(vote);
  requireThat(
    publicKey !== undefined && isSignedBy(publicKey, signedBytes, vote.signature),
    'EVIDENCE_SIGNATURE_INVALID',
    path,
  );
}

function sessionKeyOf(
  state: ReadableState,
  cast: readonly WorkVote[],
  { actorId, sessionId }: { actorId: string; sessionId: string },
): string | undefined {
  const own = cast.find((vote) => vote.verifierId === actorId)?.session;
  if (own?.sessionId === sessionId) return own.publicKey;
  return state.get('session', sessionKey(actorId, sessionId))?.publicKey;
}
