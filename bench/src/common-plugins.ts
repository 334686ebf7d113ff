/** Fastify plugins of any such node: description, headers, CORS, limits. */
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

export async function registerCommonPlugins(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { openapi: {} });
  await app.register(helmet);
  await app.register(cors, { origin: '*' });
  await app.register(rateLimit, { max: 1_000_000_000 });
}
