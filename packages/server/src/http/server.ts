import rateLimit from '@fastify/rate-limit';
import type { TrustProxy } from '@netd/client-limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

import type { ServedNode } from './served-node.ts';
import { answerPreflight } from './answer.ts';
import { HttpContext, type ServerOptions, type ServerPart } from './context.ts';
import { explorerRoutes } from './explorer.ts';
import { errorFormatAt, type Refuse } from './error-format.ts';
import { createApp, refusesHost, ROUTER_OPTIONS, type App } from './create-app.ts';
import type { HttpListener } from './http-listener.ts';
import { addressRate } from './rate-limits.ts';
import { agentRoutes } from './routes/agents.ts';
import { blockRoutes } from './routes/blocks.ts';
import { consensusRoutes } from './routes/consensus.ts';
import { agentSkillRoutes } from './routes/agent-skills.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { homeRoutes } from './routes/home.ts';
import { intentRoutes } from './routes/intents.ts';
import { labRoutes } from './routes/lab.ts';
import { networkRoutes } from './routes/network.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { packageIndexRoutes } from './routes/package-index.ts';
import { stateRoutes } from './routes/state.ts';
import { documentRoutes } from './routes/documents.ts';
import { docsRoutes } from './routes/docs.ts';
import { manifestRoutes } from './routes/manifest.ts';
import {
  claimInvitation,
  commitCheckpoint,
  createOrder,
  prepareHandover,
  registerAgent,
  submitApplication,
  submitContribution,
  submitIntent,
} from './routes/writes.ts';
import { RouteTable } from './route-table.ts';
import { WriteForwarder } from './forward-writes.ts';

export interface HttpOptions extends ServerOptions {
  listener: HttpListener;
  logger?: Logger;
  trustProxy?: TrustProxy;
  /** Limit per address, except on loopback. */
  writesPerMinute?: number;
  /** Limit per address, except on loopback; none by default. Cached answers do not count. */
  readsPerMinute?: number;
  parts: readonly ServerPart[];
  beforeRoutes?: (app: FastifyInstance) => Promise<void>;
}

const DEFAULT_WRITES_PER_MINUTE = 600;

const ROUTES = [
  homeRoutes,
  explorerRoutes,
  downloadRoutes,
  agentSkillRoutes,
  healthRoutes,
  networkRoutes,
  consensusRoutes,
  stateRoutes,
  blockRoutes,
  eventRoutes,
  agentRoutes,
  registerAgent,
  submitIntent,
  intentRoutes,
  labRoutes,
  createOrder,
  openApiRoutes,
  packageIndexRoutes,
  commitCheckpoint,
  prepareHandover,
  documentRoutes,
  submitApplication,
  claimInvitation,
  manifestRoutes,
  docsRoutes,
  submitContribution,
];

export interface ServerBehind extends App {
  figures: HttpContext['figures'];
}

export async function buildServer(node: ServedNode, options: HttpOptions): Promise<ServerBehind> {
  const { listener } = options;
  const formats = options.parts.flatMap(({ errorFormats }) => errorFormats);
  const served = createApp({ ...options, formats });
  const { app, refuse } = served;
  options.traces?.watch(app);
  const table = new RouteTable(ROUTER_OPTIONS);
  app.addHook('onRoute', (route) => table.add(route));
  const context = new HttpContext(node, options, listener);
  app.addHook('onClose', () => context.close());
  app.addHook('onRequest', (request, reply, done) => {
    if (refusesHost(request, reply, refuse)) return;
    if (context.resend(request, reply)) return;
    const { method } = request;
    if (method === 'OPTIONS') answerPreflight(request, reply);
    else if (method === 'POST' && request.headers['if-match'] !== undefined) {
      refuse(reply, 'PRECONDITION_FAILED');
    }
    // Answer here, because the body may have a type that is refused later.
    else if (request.is404) sendNotFound(refuse, table.methodsAt(request.url), reply);
    else done();
  });
  await options.beforeRoutes?.(app);
  if (!options.loopback) {
    // Read at each request, because SIGHUP may change them.
    const writes = (): number => options.writesPerMinute ?? DEFAULT_WRITES_PER_MINUTE;
    const reads = (): number => options.readsPerMinute ?? Infinity;
    const isWrite = ({ method }: FastifyRequest): boolean => method === 'POST';
    const rate = addressRate({
      max: (request) => (isWrite(request) ? writes() : reads()),
      what: (request) => (isWrite(request) ? 'writes' : 'reads'),
      isFree: (request) =>
        errorFormatAt(formats, request.url) !== null || (!isWrite(request) && reads() === Infinity),
    });
    await app.register(rateLimit, rate);
  }
  if (options.forwardWrites === true) {
    forwardWrites(app, new WriteForwarder(node, listener.limits, options.traces));
  }
  await app.register((scope, _options, done) => {
    const routes = [...ROUTES, ...options.parts.flatMap((part) => part.routes)];
    for (const add of routes) add(scope, context);
    // Close after routes have ended their streams, and before their resources are closed.
    scope.addHook('preClose', () => listener.close());
    done();
  });
  await app.ready();
  const enter = async (): Promise<void> => {
    await served.enter();
    context.later.start(options.logger);
  };
  return { ...served, enter, figures: () => context.figures() };
}

function forwardWrites(app: FastifyInstance, forwarder: WriteForwarder): void {
  app.addHook('preHandler', async (request, reply) => {
    const { url, schema } = request.routeOptions;
    const { 201: committed } = (schema?.response ?? {}) as Record<number, unknown>;
    const commits = request.method === 'POST' && committed !== undefined;
    if (commits && url !== undefined) await forwarder.forward(url, request, reply);
  });
}

function sendNotFound(refuse: Refuse, allowed: readonly string[], reply: FastifyReply): void {
  if (allowed.length === 0) refuse(reply, 'ROUTE_NOT_FOUND');
  else refuse(reply.header('allow', allowed.join(', ')), 'METHOD_NOT_ALLOWED');
}
