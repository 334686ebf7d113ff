/** Fastify with the plugins of the node and one route: what a start costs that holds nothing of ours. */
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
