/**
 * Fastify with one route and the common plugins: the cost of a start without our code. It exits like a node, so
 * that Node keeps its compile cache.
 */
import Fastify from 'fastify';
import { registerCommonPlugins } from './common-plugins.ts';

const app = Fastify();
await registerCommonPlugins(app);
app.get('/livez', () => ({ status: 'live' }));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.once('SIGTERM', () => void app.close());
