/** An action without a signature, checked like an intent; only an open chain accepts it. */
import { MAX_EXPIRY_DISTANCE, OpenTransition } from '@netd/protocol';
import { ACTIONS } from '../actions/registry.ts';
import { requireActive } from '../authority.ts';
import { requireFreshNonce } from '../replay-protection.ts';
import { requireThat } from '../rule-error.ts';
import { defineTransition } from '../transition.ts';
import { requireAuthority, type CheckedIntent } from './intent.ts';
import { ACTION_ERRORS, applyAction, checkAction } from './run-action.ts';

export const open = defineTransition<OpenTransition, CheckedIntent>({
  kind: 'open',
  name: 'OpenTransition',
  summary: 'One unsigned action, on a chain whose genesis is open.',
  envelope: OpenTransition,
  errors: [
    'SIGNED_INTENT_REQUIRED',
    'ACTOR_UNKNOWN',
    'AUTHORITY_INACTIVE',
    'NONCE_REPLAYED',
    ...ACTION_ERRORS,
  ],
  events: [],
  duplicate: { code: 'NONCE_REPLAYED', path: '/nonce' },

  check(context, { envelope }) {
    requireThat(
      context.chain.open && ACTIONS.get(envelope.action)?.bareActor !== undefined,
      'SIGNED_INTENT_REQUIRED',
      '/action',
    );
    const authority = requireAuthority(context.state, envelope.actorId);
    requireActive(authority);
    const nonceHash = requireFreshNonce(context.state, envelope, context.block.height);
    return { action: checkAction(context, authority, envelope), nonceHash };
  },

  apply(context, _envelope, { action, nonceHash }) {
    applyAction(context, action);
    // The envelope names no expiry, so spend the nonce for the longest that an intent may have.
    context.state.spendNonce(nonceHash, context.block.height - 1 + MAX_EXPIRY_DISTANCE);
  },
});
