import { exactly, Type, type TSchema } from '@netd/protocol/type';
import { errorsOf, problems } from '../http/schemas.ts';

const Version = Type.Literal('2.0');
const Id = Type.Union([Type.String(), Type.Number()]);
const Members = Type.Object({}, { additionalProperties: true });

export const JsonRpcMessage = Type.Object(
  {
    jsonrpc: Version,
    id: Type.Optional(Id),
    method: Type.String({
      description: 'initialize, ping, server/discover, tools/list, tools/call.',
    }),
    params: Type.Optional(Members),
  },
  {
    title: 'JsonRpcMessage',
    description: 'One message of MCP 2025-11-25 or 2026-07-28; batches are refused.',
  },
);

export const JsonRpcError = exactly(
  {
    jsonrpc: Version,
    id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
    error: exactly({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(Type.Unknown()),
    }),
  },
  { title: 'JsonRpcError', description: 'A JSON-RPC error.' },
);

export const JsonRpcResponse = Type.Union(
  [exactly({ jsonrpc: Version, id: Id, result: Members }), JsonRpcError],
  { description: 'The result, or an error of the method.' },
);

export const McpPointer = exactly(
  {
    schema: Type.Literal('NET-MCP-POINTER/1'),
    chainId: Type.String(),
    serverInfo: exactly({ name: Type.String(), title: Type.String(), version: Type.String() }),
    protocolVersions: Type.Array(Type.String(), { description: 'Newest first.' }),
    transport: exactly({
      type: Type.Literal('streamable-http'),
      url: Type.String({ description: 'Relative to this document.' }),
    }),
    capabilities: exactly({ tools: exactly({ listChanged: Type.Boolean() }) }),
    authentication: exactly({ required: Type.Boolean() }),
  },
  { title: 'McpPointer', description: 'The address of the MCP endpoint.' },
);

export function rpcResponses(): Record<number, TSchema> {
  return {
    ...problems(),
    200: {
      description: 'The response; the stream only for subscriptions/listen, which ends at once.',
      content: {
        'application/json': { schema: JsonRpcResponse },
        'text/event-stream': { schema: Type.String() },
      },
    },
    202: {
      description: 'A notification or a response was taken.',
      type: 'null',
    },
    ...errorsOf([400, 403, 404, 405, 413, 415, 429, 500, 503], JsonRpcError),
  };
}
