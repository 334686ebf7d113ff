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
    // Schema objects have internal members that JSON drops.
    const plain = JSON.parse(JSON.stringify(app.swagger())) as JsonObject;
    return JSON.parse(canonicalize(plain)) as JsonObject;
  } finally {
    await app.close();
  }
}
