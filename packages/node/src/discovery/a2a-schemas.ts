/** How /a2a/v1 is described in OpenAPI: what it answers, and every error in the form of google.rpc.Status. */
import { Type, type TSchema } from '@netd/protocol/type';
import { problems, statusText } from '../http/schemas.ts';
import { A2A_MEDIA_TYPE } from './a2a-errors.ts';

const closed = { additionalProperties: false };
const MAX_TASK_PAGE = 100;

const A2aError = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Integer({ description: 'The HTTP status.' }),
        status: Type.String({ description: 'The name of a google.rpc.Code.' }),
        message: Type.String(),
        details: Type.Array(Type.Object({ '@type': Type.String() }), {
          description: 'ErrorInfo with reason and domain; BadRequest with the places at fault.',
        }),
      },
      closed,
    ),
  },
  { title: 'A2aError', ...closed, description: 'A google.rpc.Status.' },
);

export const SentMessage = Type.Object(
  {
    message: Type.Object(
      {
        messageId: Type.String(),
        contextId: Type.String(),
        role: Type.Literal('ROLE_AGENT'),
        parts: Type.Array(
          Type.Union([
            Type.Object({ text: Type.String(), mediaType: Type.Literal('text/plain') }, closed),
            Type.Object(
              {
                data: Type.Object(
                  {
                    documents: Type.Array(
                      Type.Object({
                        source: Type.Object(
                          {
                            schema: Type.String(),
                            chainId: Type.String(),
                            height: Type.Integer(),
                            path: Type.String(),
                          },
                          { ...closed, description: 'The document this is taken from.' },
                        ),
                      }),
                      { description: 'What matters of the documents behind the text.' },
                    ),
                    topics: Type.Array(Type.String()),
                  },
                  closed,
                ),
                mediaType: Type.Literal('application/json'),
              },
              closed,
            ),
          ]),
        ),
      },
      closed,
    ),
  },
  {
    title: 'A2aSentMessage',
    ...closed,
    description: 'An A2A SendMessageResponse: text, and what it stands on.',
  },
);

export const ListTasks = Type.Object({
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TASK_PAGE })),
});

export const TaskPage = Type.Object(
  {
    tasks: Type.Array(Type.Object({}, closed), { maxItems: 0 }),
    nextPageToken: Type.Literal(''),
    pageSize: Type.Integer(),
    totalSize: Type.Literal(0),
  },
  { title: 'A2aTaskPage', ...closed, description: 'An A2A ListTasksResponse.' },
);

/** @param success what 200 holds */
export function a2aResponses(success: TSchema, ...statuses: number[]): Record<number, TSchema> {
  const inBoth = (schema: TSchema): object => ({
    'application/json': { schema },
    [A2A_MEDIA_TYPE]: { schema },
  });
  const described: [number, object][] = [405, 429, 500, 503, ...statuses].map((status) => [
    status,
    { description: statusText[status], content: inBoth(A2aError) },
  ]);
  return {
    ...problems(),
    200: { description: 'The answer.', content: inBoth(success) },
    ...Object.fromEntries(described),
  };
}
