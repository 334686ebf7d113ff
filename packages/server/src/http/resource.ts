import { randomUUID } from 'node:crypto';
import type { Action } from '@netd/ledger';
import {
  envelopeViolations,
  KIND_SCHEMAS,
  SignedIntent,
  type JsonObject,
  type OpenTransition,
} from '@netd/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from '@netd/protocol/type';
import { ApiError, type CommittedEnvelope } from '@netd/engine';
import type { HttpContext } from './context.ts';
import { requireControlToken } from './control-token.ts';
import { validateLoopback } from './loopback.ts';
import { submitEnvelope } from './submit.ts';

/** Generators produce a class only if a payload has named members. */
const BarePayload = Type.Object(
  { requesterId: Type.Optional(Type.String()), agentId: Type.Optional(Type.String()) },
  {
    title: 'BarePayload',
    additionalProperties: true,
    description:
      'The payload without signature, with the member that names who acts. Only on an open chain, from its own machine, with the header x-net-control.',
  },
);

export const ResourceBody = Type.Union([SignedIntent, BarePayload]);

export type ResourceAction = Pick<Action, 'name' | 'payload'> & { bareActor?: string };

/**
 * @returns the receipt, and the envelope: a SignedIntent or an OpenTransition
 * @throws ApiError SIGNED_INTENT_REQUIRED or CONTROL_TOKEN_REQUIRED for a body without signature,
 * ACTION_MISMATCH for another action's intent, and as Admission.submit
 */
export async function submitResource(
  context: HttpContext,
  request: FastifyRequest,
  action: ResourceAction,
): Promise<CommittedEnvelope> {
  const { name } = action;
  return submitEnvelope(context, request, 'intent', (envelope) => {
    if (!Object.hasOwn(envelope, 'signature')) {
      if (!context.node.dataDir.genesis.open) throw new ApiError('SIGNED_INTENT_REQUIRED');
      return openTransition(context, request, action, envelope);
    }
    if (envelope['action'] === name || envelopeViolations('intent', envelope)) return null;
    const message = `this path takes ${name}`;
    throw new ApiError('ACTION_MISMATCH', { message, errors: [{ path: '/action', message }] });
  });
}

/** @throws ApiError SIGNED_INTENT_REQUIRED, CONTROL_TOKEN_REQUIRED, PAYLOAD_INVALID if it names no actor */
function openTransition(
  context: HttpContext,
  request: FastifyRequest,
  { name, payload: schema, bareActor }: ResourceAction,
  body: JsonObject,
): OpenTransition {
  const fault = validateLoopback(request.headers);
  if (bareActor === undefined || fault !== null) {
    throw new ApiError('SIGNED_INTENT_REQUIRED', fault === null ? {} : { message: fault });
  }
  requireControlToken(context, request);
  const { [bareActor]: actorId, ...rest } = body;
  if (typeof actorId !== 'string') {
    const message = 'must say who acts: a bare payload names its actor';
    throw new ApiError('PAYLOAD_INVALID', {
      errors: [{ path: `/payload/${bareActor}`, message }],
    });
  }
  const payload = Object.hasOwn(schema.properties, bareActor) ? body : rest;
  return { schema: KIND_SCHEMAS.open, actorId, nonce: randomUUID(), action: name, payload };
}
