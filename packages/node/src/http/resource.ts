/** Resources with a path of their own to write to: the body is the signed intent of the one action the path stands for. */
import type { Action } from '@netd/ledger';
import { envelopeViolations, SignedIntent } from '@netd/protocol';
import type { FastifyRequest } from 'fastify';
import type { CommittedEnvelope } from '../chain/admission.ts';
import { Refusal } from '../chain/refusal.ts';
import type { HttpContext } from './context.ts';
import { problems } from './schemas.ts';
import { submitEnvelope } from './submit.ts';

/** The body of such a path, as it is described. */
export const ResourceBody = SignedIntent;

export const resourceProblems = () => problems(403, 409, 413, 415, 429);

/**
 * Brings the intent into the chain.
 * @throws Refusal SIGNED_INTENT_REQUIRED for a body without signature, ACTION_MISMATCH for the intent of another
 * action, and all that Admission.submit refuses
 */
export async function submitResource(
  context: HttpContext,
  request: FastifyRequest,
  { name }: Pick<Action, 'name'>,
): Promise<CommittedEnvelope> {
  return submitEnvelope(context, request, 'intent', (envelope) => {
    if (!Object.hasOwn(envelope, 'signature')) throw new Refusal('SIGNED_INTENT_REQUIRED');
    // What is malformed is refused as that, whatever it names.
    if (envelope['action'] === name || envelopeViolations('intent', envelope)) return;
    const message = `this path takes ${name}`;
    throw new Refusal('ACTION_MISMATCH', { message, errors: [{ path: '/action', message }] });
  });
}
