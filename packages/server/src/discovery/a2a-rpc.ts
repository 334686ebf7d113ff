/**
 * What answers at /a2a/v1/rpc: the same as message:send in the JSON-RPC bindings of A2A 1.0 and 0.3. A file of its own, with
 * the package's transports behind it, loaded by the first request: few nodes ever get one.
 */
import { AgentCard, Message, SendMessageRequest } from '@a2a-js/sdk';
import { isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  RequestMalformedError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import {
  JsonRpcTransportHandler,
  ServerCallContext,
  type A2ARequestHandler,
} from '@a2a-js/sdk/server';
import type { JsonValue } from '@netd/protocol';
import type { HttpContext } from '../http/context.ts';
import { answerMessage } from './a2a-answer.ts';
import { noPush, noSuchTask, NO_CARD, STREAM } from './a2a-errors.ts';
import { requireSendMessage } from './a2a-message.ts';
import { DEFAULT_TASK_PAGE, MAX_TASK_PAGE } from './a2a-schemas.ts';
import { agentCard } from './agent-card.ts';

/** @param version as the client names it; null where it names none, which is 0.3 but for methods that only 1.0 has */
export type A2aRpc = (message: JsonValue, version: string | null) => Promise<object>;

export function a2aRpc(context: HttpContext): A2aRpc {
  const handler = requestHandler(context);
  const current = new JsonRpcTransportHandler(handler);
  const legacy = new LegacyJsonRpcTransportHandler(handler);
  return async (message, version) => {
    const { method, id = null } = (message ?? {}) as { method?: unknown; id?: unknown };
    const isCurrent = version === null ? isV1JsonRpcMethod(method) : version === '1.0';
    if (!isCurrent && version !== null && version !== '0.3') {
      const error = new VersionNotSupportedError(
        'Send "A2A-Version: 1.0" or "A2A-Version: 0.3", the versions that are served here.',
      );
      return {
        jsonrpc: '2.0',
        id,
        error: JsonRpcTransportHandler.mapToJSONRPCError(error),
      };
    }
    const call = new ServerCallContext({ requestedVersion: isCurrent ? '1.0' : '0.3' });
    // Whatever would stream is refused before: the card says that nothing does.
    return (isCurrent ? current : legacy).handle(message as Record<string, unknown>, call);
  };
}

/** What there is here: answers to messages, and refusals of everything else. */
function requestHandler(context: HttpContext): A2ARequestHandler {
  const refuse = (error: () => Error) => () => {
    throw error();
  };
  const noStream = refuse(() => new UnsupportedOperationError(STREAM));
  return {
    getAgentCard: async () => AgentCard.fromJSON(agentCard(context.options.publicUrl)),
    getAuthenticatedExtendedAgentCard: refuse(() => new UnsupportedOperationError(NO_CARD)),
    sendMessage: async (request) => {
      const body = requireSendMessage(SendMessageRequest.toJSON(request));
      const { message } = (await answerMessage(context, body)) as { message: unknown };
      return Message.fromJSON(message);
    },
    sendMessageStream: noStream,
    resubscribe: noStream,
    listTasks: async ({ pageSize = DEFAULT_TASK_PAGE, pageToken }) => {
      if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_TASK_PAGE) {
        throw new RequestMalformedError(`pageSize: say 1 to ${MAX_TASK_PAGE}.`);
      }
      // All tasks there are fit on one page, so no token was ever given out.
      if (pageToken) throw new RequestMalformedError('pageToken: this one was not given out.');
      return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
    },
    getTask: refuse(noSuchTask),
    cancelTask: refuse(noSuchTask),
    createTaskPushNotificationConfig: refuse(noPush),
    getTaskPushNotificationConfig: refuse(noPush),
    listTaskPushNotificationConfigs: refuse(noPush),
    deleteTaskPushNotificationConfig: refuse(noPush),
  };
}
