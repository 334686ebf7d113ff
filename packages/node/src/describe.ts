/** The OpenAPI description of all that a node serves, made from its routes. See http/description.ts for who reads it. */
import swagger from '@fastify/swagger';
import { canonicalize, type JsonObject } from '@netd/protocol';
import {
  buildServer,
  discovery,
  HttpListener,
  openApiInfo,
  transformObject,
  transformSchema,
} from '@netd/server';
import type { DataDir } from './data-dir.ts';
import type { NetNode } from './node.ts';

/** Members in canonical order. Takes a second or so of the thread. */
export async function describeInterface(node: NetNode<DataDir>): Promise<JsonObject> {
  const { app } = await buildServer(node, {
    listener: new HttpListener(node.metrics),
    publicUrl: '',
    loopback: true,
    parts: [discovery],
    beforeRoutes: async (server) => {
      await server.register(swagger, {
        openapi: openApiInfo(),
        transform: transformSchema,
        transformObject,
      });
    },
  });
  try {
    // Through JSON first: schema objects carry members that only matter to their library.
    const plain = JSON.parse(JSON.stringify(app.swagger())) as JsonObject;
    return JSON.parse(canonicalize(plain)) as JsonObject;
  } finally {
    await app.close();
  }
}
