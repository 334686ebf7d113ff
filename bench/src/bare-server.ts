/**
 * Fastify with one route and the common plugins for what the node does too (description, headers, CORS, limits): what a
 * start costs that holds nothing of ours. It ends as the node does, so that Node keeps what it has compiled.
 */
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify from 'fastify';

const app = Fastify();
await app.register(swagger, { openapi: {} });
await app.register(helmet);
await app.register(cors, { origin: '*' });
await app.register(rateLimit, { max: 1_000_000 });
app.get('/livez', () => ({ status: 'live' }));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.once('SIGTERM', () => void app.close());
