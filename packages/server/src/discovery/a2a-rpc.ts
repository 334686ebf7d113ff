/**
 * Answers JSON-RPC of A2A 1.0 and 0.3. Loaded with the SDK by the first request, because few nodes get one.
 */
import { isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { ApiError } from '@netd/engine';
import { ERROR_TABLE, type JsonValue } from '@netd/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../http/context.ts';
import { a2aHandler } from './a2a-handler.ts';
import { closedSignal, sendStream } from './a2a-stream.ts';

type Stream = AsyncGenerator<object, void, undefined>;

interface RpcCall {
  message: JsonValue;
  /** Null if the client names none. That means 0.3, except for methods that only 1.0 has. */
  version: string | null;
}

/** Notifications have no id and get an empty answer (JSON-RPC 2.0 section 4.1). */
export async function sendRpc(
  context: HttpContext,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  call: RpcCall,
): Promise<FastifyReply> {
  const { reply } = exchange;
  let answer: object;
  try {
    answer = await answerRpc(context, call, closedSignal(reply));
    if (isNotification(call.message)) return await reply.code(204).send();
    if (isStream(answer)) return await sendStream(context, exchange, answer);
  } catch (error) {
    if (error instanceof ApiError && ERROR_TABLE[error.code].status >= 429) throw error;
    if (isNotification(call.message)) return reply.code(204).send();
    answer = rpcErrorOf(call.message, error as Error);
  }
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(Buffer.from(JSON.stringify(answer)));
}

async function answerRpc(
  context: HttpContext,
  { message, version }: RpcCall,
  signal: AbortSignal,
): Promise<object> {
  const { method } = (message ?? {}) as { method?: unknown };
  const isCurrent = version === null ? isV1JsonRpcMethod(method) : version === '1.0';
  if (!isCurrent && version !== null && version !== '0.3') {
    throw new VersionNotSupportedError(
      'Send "A2A-Version: 1.0" or "A2A-Version: 0.3", the versions that are served here.',
    );
  }
  const handler = a2aHandler(context, signal);
  const call = new ServerCallContext({ requestedVersion: isCurrent ? '1.0' : '0.3' });
  const Transport = isCurrent ? JsonRpcTransportHandler : LegacyJsonRpcTransportHandler;
  // Without params, the package would report an unknown method as invalid params.
  return new Transport(handler).handle({ params: {}, ...(message as object) }, call);
}

function rpcErrorOf(message: JsonValue, error: Error): object {
  const { id = null } = (message ?? {}) as { id?: unknown };
  return { jsonrpc: '2.0', id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) };
}

const isNotification = (message: JsonValue): boolean => !Object.hasOwn(message as object, 'id');

function isStream(answer: object): answer is Stream {
  return Symbol.asyncIterator in answer;
}
