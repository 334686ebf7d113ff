/**
 * Fastify with one route and the common plugins for what the node does too (description, headers, CORS, limits): what a
 * start costs that holds nothing of ours. It ends as the node does, so that Node keeps what it has compiled.
 */
import Fastify from 'fastify';
import { registerCommonPlugins } from './common-plugins.ts';

const app = Fastify();
await registerCommonPlugins(app);
app.get('/livez', () => ({ status: 'live' }));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.once('SIGTERM', () => void app.close());
