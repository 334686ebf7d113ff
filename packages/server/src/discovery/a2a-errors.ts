/** Errors in the form of google.rpc.Status (A2A v1.0.1 section 11.6). */
import {
  A2A_ERROR_DOMAIN,
  A2AError,
  ContentTypeNotSupportedError,
  ERROR_INFO_TYPE,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  restStatusFor,
  toRestErrorBody,
  type RestErrorBody,
} from '@a2a-js/sdk/errors';
import { ERROR_TABLE, type ErrorCode, type Violation } from '@netd/protocol';
import type { FastifyReply } from 'fastify';
import type { ErrorFormat } from '../http/error-format.ts';
import { CODES, sendRpcError, RPC_ERROR } from './mcp-errors.ts';
import { refusalText, type OwnAdvice } from './refusal-text.ts';

export const A2A_PATH = '/a2a/v1';
export const A2A_RPC_PATH = `${A2A_PATH}/rpc`;
export const A2A_VERSION = '1.0';

export const A2A_MEDIA_TYPE = 'application/a2a+json';
const BAD_REQUEST_TYPE = 'type.googleapis.com/google.rpc.BadRequest';

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const ADVICE: OwnAdvice = {
  BODY_TOO_LARGE: 'A message has at most 65,536 bytes; ask in a sentence.',
  PARAMETER_INVALID: 'Correct the fields that details name.',
  RATE_LIMITED: 'Then send the message again; one message may ask about several topics.',
  ROUTE_NOT_FOUND: 'Send messages to message:send below the url of the Agent Card.',
};

/** If A2A has no error for a code, the code itself is the reason. */
export const a2aErrors: ErrorFormat = {
  prefix: A2A_PATH,
  send: (reply, code, refusal) => {
    const { status } = ERROR_TABLE[code];
    const message = refusalText(code, refusal, ADVICE);
    const known = knownError(code, message);
    if (known) return sendA2aError(reply, known, refusal.errors);
    return sendStatus(reply, {
      error: {
        code: status,
        status: STATUS_NAMES[status] ?? 'UNKNOWN',
        message,
        details: [
          {
            '@type': ERROR_INFO_TYPE,
            reason: code,
            domain: A2A_ERROR_DOMAIN,
            metadata: { requestId: reply.request.id },
          },
        ],
      },
    });
  },
};

export const a2aRpcErrors: ErrorFormat = {
  prefix: A2A_RPC_PATH,
  send: (reply, code, refusal) =>
    sendRpcError(reply, ERROR_TABLE[code].status, {
      code: CODES[code] ?? RPC_ERROR.transport,
      message: refusalText(code, refusal, ADVICE),
      data: { code, requestId: reply.request.id },
    }),
};

export const NO_CARD = 'There is no other card than /.well-known/agent-card.json.';
export const NO_SUCH_ORDER =
  'No work order has this id, and tasks are work orders: list the tasks, or ask in words without a taskId.';
export const HAS_ENDED = 'This task has ended and changes no more: get it instead.';

/** The node cannot cancel, because it holds no key. The requester can, by an intent. */
export function notCancelable(orderId: string, ended: boolean): A2AError {
  return new TaskNotCancelableError(
    ended
      ? HAS_ENDED
      : `Only the requester can take an order back, and only before an agent has accepted it: it signs cancelWorkOrder. Send a message with taskId ${JSON.stringify(orderId)} and data {"actorId", "action": "cancelWorkOrder", "payload": {}} for the bytes to sign.`,
  );
}

export function noPush(): A2AError {
  return new PushNotificationNotSupportedError(
    'Push notifications are not served; ask again instead.',
  );
}

function knownError(code: ErrorCode, message: string): A2AError | null {
  switch (code) {
    case 'CONTENT_TYPE_UNSUPPORTED':
      return new ContentTypeNotSupportedError(message);
    case 'REQUEST_INVALID':
    case 'PARAMETER_INVALID':
      return new RequestMalformedError(message);
    default:
      return null;
  }
}

export function reasonOf(error: A2AError): string {
  return `A2A_${error.name
    .replace(/Error$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase()}`;
}

export function sendA2aError(
  reply: FastifyReply,
  error: A2AError,
  places: readonly Violation[] = [],
): FastifyReply {
  const body = toRestErrorBody(error, restStatusFor(error));
  for (const detail of body.error.details) {
    detail['metadata'] ??= { requestId: reply.request.id };
  }
  if (places.length > 0) {
    body.error.details.push({
      '@type': BAD_REQUEST_TYPE,
      fieldViolations: places.map(({ path, message }) => ({ field: path, description: message })),
    });
  }
  return sendStatus(reply, body);
}

function sendStatus(reply: FastifyReply, body: RestErrorBody): FastifyReply {
  return sendA2a(reply.code(body.error.code).header('cache-control', 'no-store'), body);
}

const mediaTypeOf = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase();

export function sendA2a(reply: FastifyReply, body: unknown): FastifyReply {
  const { accept = '', 'content-type': sent = '' } = reply.request.headers;
  const types = accept.split(',').map(mediaTypeOf);
  const asked =
    types.includes(A2A_MEDIA_TYPE) ||
    (mediaTypeOf(sent) === A2A_MEDIA_TYPE && !types.includes('application/json'));
  return reply
    .header('vary', 'Accept, Origin')
    .type(asked ? A2A_MEDIA_TYPE : 'application/json; charset=utf-8')
    .send(Buffer.from(JSON.stringify(body)));
}
