import { AgentCard, SendMessageRequest, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { ApiError } from '@netd/engine';
import type { HttpContext } from '../http/context.ts';
import { answerMessage, detailOf } from './a2a-answer.ts';
import { HAS_ENDED, noPush, NO_CARD, notCancelable } from './a2a-errors.ts';
import { requireSendMessage } from './a2a-message.ts';
import { DEFAULT_TASK_PAGE, MAX_TASK_PAGE } from './a2a-schemas.ts';
import { ALL, findTask, hasEnded, listTasks } from './a2a-task.ts';
import { taskUpdates } from './a2a-updates.ts';
import { agentCard } from './agent-card.ts';

export function a2aHandler(context: HttpContext, signal: AbortSignal): A2ARequestHandler {
  const refuse = (error: () => Error) => () => {
    throw error();
  };
  const answer = (request: SendMessageRequest) =>
    answerMessage(context, requireSendMessage(SendMessageRequest.toJSON(request)));
  return {
    getAgentCard: async () => AgentCard.fromJSON(agentCard(context.options.publicUrl)),
    getAuthenticatedExtendedAgentCard: refuse(() => new UnsupportedOperationError(NO_CARD)),
    sendMessage: answer,
    async *sendMessageStream(request) {
      const first = await answer(request);
      if ('messageId' in first) {
        yield { payload: { $case: 'message', value: first } };
      } else if (hasEnded(first) || first.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) {
        yield { payload: { $case: 'task', value: first } };
      } else {
        const detail = detailOf(request.configuration);
        yield* taskUpdates(context, first.id, { signal, detail });
      }
    },
    async *resubscribe({ id }) {
      // The protocol requires this error for ended tasks (section 3.1.6).
      if (hasEnded(findTask(context, id))) throw new UnsupportedOperationError(HAS_ENDED);
      yield* taskUpdates(context, id, { signal, detail: ALL });
    },
    listTasks: async (request) => {
      const { pageSize = DEFAULT_TASK_PAGE, historyLength, includeArtifacts = false } = request;
      const { contextId, status, pageToken, statusTimestampAfter } = request;
      if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_TASK_PAGE) {
        throw new RequestMalformedError(`pageSize: say 1 to ${MAX_TASK_PAGE}.`);
      }
      const since = statusTimestampAfter ? Date.parse(statusTimestampAfter) : null;
      if (Number.isNaN(since))
        throw new RequestMalformedError('statusTimestampAfter: say a time of RFC 3339.');
      const query = {
        limit: pageSize,
        ...(pageToken ? { cursor: pageToken } : {}),
        ...(contextId ? { requesterId: contextId } : {}),
        ...(status === TaskState.TASK_STATE_UNSPECIFIED ? {} : { state: taskStateToJSON(status) }),
        ...(since === null ? {} : { since }),
      };
      try {
        return await listTasks(context, query, {
          historyLength: historyLength ?? 0,
          artifacts: includeArtifacts,
        });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'PARAMETER_INVALID') throw error;
        throw new RequestMalformedError('pageToken: this one was not given out for this list.');
      }
    },
    getTask: async ({ id, historyLength }) => findTask(context, id, { ...ALL, historyLength }),
    cancelTask: async ({ id }) => {
      throw notCancelable(id, hasEnded(findTask(context, id)));
    },
    createTaskPushNotificationConfig: refuse(noPush),
    getTaskPushNotificationConfig: refuse(noPush),
    listTaskPushNotificationConfigs: refuse(noPush),
    deleteTaskPushNotificationConfig: refuse(noPush),
  };
}
