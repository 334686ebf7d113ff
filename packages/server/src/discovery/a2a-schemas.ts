import { exactly, Type, type Static, type TSchema } from '@netd/protocol/type';
import { errorsOf, problems } from '../http/schemas.ts';
import { A2A_MEDIA_TYPE } from './a2a-errors.ts';
import { JsonRpcError, JsonRpcResponse } from './mcp-schemas.ts';

export const MAX_TASK_PAGE = 100;
export const DEFAULT_TASK_PAGE = 50;

const A2aError = exactly(
  {
    error: exactly({
      code: Type.Integer({ description: 'The HTTP status.' }),
      status: Type.String({ description: 'The name of a google.rpc.Code.' }),
      message: Type.String(),
      details: Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'ErrorInfo with reason and domain; BadRequest with the places at fault.',
      }),
    }),
  },
  { title: 'A2aError', description: 'A google.rpc.Status.' },
);

const open = { additionalProperties: true };

export const A2aTask = exactly(
  {
    id: Type.String({ description: 'The id of the work order.' }),
    contextId: Type.String({ description: 'Its requester.' }),
    status: Type.Object({}, open),
    artifacts: Type.Optional(Type.Array(Type.Object({}, open))),
    history: Type.Optional(Type.Array(Type.Object({}, open))),
    metadata: Type.Optional(Type.Object({}, open)),
  },
  { title: 'A2aTask', description: 'An A2A Task: a work order.' },
);

const A2aMessage = exactly({
  messageId: Type.String(),
  contextId: Type.String(),
  role: Type.Literal('ROLE_AGENT'),
  parts: Type.Array(Type.Object({}, open), {
    description:
      'The text, and as data what it stands on: `{topics, documents: [{source: {schema, chainId, height, path}, …}]}`, or the intent to sign.',
  }),
});

export const SentMessage = exactly(
  { message: Type.Optional(A2aMessage), task: Type.Optional(A2aTask) },
  {
    title: 'A2aSentMessage',
    description: 'An A2A SendMessageResponse: a message, or the task that was asked about.',
  },
);

const TASK_STATES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
];

export const TaskPath = Type.Object({ id: Type.String({ maxLength: 128 }) });
export type TaskPath = Static<typeof TaskPath>;

const HistoryLength = Type.Optional(Type.Integer({ minimum: 0 }));
export const GetTask = Type.Object({ historyLength: HistoryLength });

export const ListTasks = Type.Object({
  contextId: Type.Optional(Type.String({ maxLength: 128, description: 'A requester.' })),
  status: Type.Optional(Type.Enum(TASK_STATES)),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TASK_PAGE })),
  pageToken: Type.Optional(
    Type.String({ maxLength: 200, description: '`nextPageToken` of the page before.' }),
  ),
  historyLength: HistoryLength,
  statusTimestampAfter: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
      description: 'RFC 3339.',
    }),
  ),
  includeArtifacts: Type.Optional(Type.Enum(['true', 'false'])),
});

export const TaskPage = exactly(
  {
    tasks: Type.Array(A2aTask),
    nextPageToken: Type.String(),
    pageSize: Type.Integer(),
    totalSize: Type.Integer({
      description:
        'If the chain keeps no count, the known ones: those in this list, and one more if there are more.',
    }),
  },
  { title: 'A2aTaskPage', description: 'An A2A ListTasksResponse.' },
);

export function a2aResponses(success: TSchema, ...statuses: number[]): Record<number, TSchema> {
  const types = ['application/json', A2A_MEDIA_TYPE];
  return {
    ...problems(),
    200: {
      description: 'The answer.',
      content: Object.fromEntries(types.map((type) => [type, { schema: success }])),
    },
    ...errorsOf([405, 429, 500, 503, ...statuses], A2aError, types),
  };
}

export function a2aStreamResponses(...statuses: number[]): Record<number, TSchema> {
  return {
    ...a2aResponses(Type.String(), ...statuses),
    200: {
      description: 'Events, each with an A2A StreamResponse in JSON; the last one ends the task.',
      content: { 'text/event-stream': { schema: Type.Unknown() } },
    },
  };
}

export const A2aRpcMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
    method: Type.String({ description: 'SendMessage of A2A 1.0, message/send of 0.3.' }),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: 'A request in the JSON-RPC binding of A2A; without A2A-Version it is 0.3.' },
);

export function a2aRpcResponses(): Record<number, TSchema> {
  const content = {
    'application/json': { schema: JsonRpcResponse },
    'text/event-stream': { schema: Type.String() },
  };
  return {
    ...problems(),
    200: {
      description:
        'The answer, or an error of the method. SendStreamingMessage and SubscribeToTask are answered by a stream of them.',
      content,
    },
    204: { description: 'A notification, a message without an id, was carried out.', type: 'null' },
    ...errorsOf([400, 405, 413, 415, 429, 500, 503], JsonRpcError),
  };
}
