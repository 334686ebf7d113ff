/** What message:send answers: one message with the text, and what it stands on. */
import { randomUUID } from 'node:crypto';
import { Role, SendMessageResponse, type Part } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { HttpContext } from '../http/context.ts';
import { noPush, NO_TASKS } from './a2a-errors.ts';
import { questionOf, type SendMessage } from './a2a-message.ts';
import { answerTo } from './answers.ts';

/** @throws A2AError where the message wants what there is not */
export async function answerMessage(
  context: HttpContext,
  { message, configuration }: SendMessage,
): Promise<unknown> {
  if (message.taskId) throw new TaskNotFoundError(NO_TASKS);
  if (configuration?.taskPushNotificationConfig) throw noPush();
  const question = questionOf({ message });
  const wanted = (type: string): boolean => wants(configuration?.acceptedOutputModes, type);
  const parts: Part[] = [];
  const { text, topics, documents } = await answerTo(context, question);
  if (wanted('text/plain')) {
    parts.push(part({ $case: 'text', value: text }, 'text/plain'));
  }
  if (wanted('application/json')) {
    parts.push(part({ $case: 'data', value: { documents, topics } }, 'application/json'));
  }
  if (parts.length === 0) {
    throw new ContentTypeNotSupportedError('Answers are text/plain and application/json.');
  }
  return SendMessageResponse.toJSON({
    payload: {
      $case: 'message',
      value: {
        messageId: randomUUID(),
        contextId: message.contextId || randomUUID(),
        taskId: '',
        role: Role.ROLE_AGENT,
        parts,
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
    },
  });
}

function part(content: Part['content'], mediaType: string): Part {
  return { content, mediaType, filename: '', metadata: undefined };
}

/** Whether a client that accepts these media types (all, where it names none) takes this one. */
function wants(modes: readonly string[] | undefined, type: string): boolean {
  if (!modes || modes.length === 0) return true;
  const [major] = type.split('/');
  return modes.some((mode) => {
    const name = mode.split(';')[0]?.trim().toLowerCase();
    return name === type || name === `${major}/*` || name === '*/*' || name === major;
  });
}
