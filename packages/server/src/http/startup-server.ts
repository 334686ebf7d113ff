import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerPreflight, writeJson } from './answer.ts';
import { noStore } from './cache-policy.ts';
import { JSON_TYPE } from './encoded-document.ts';
import { createApp, refusesHost, type AppOptions } from './create-app.ts';
import { liveness } from './routes/health.ts';

const RETRY_AFTER = 5;

export class StartupServer {
  chainId: string | null = null;
  doing = '';
  private readonly app: FastifyInstance;

  private constructor(app: FastifyInstance) {
    this.app = app;
  }

  static async enter(options: AppOptions): Promise<StartupServer> {
    const { app, refuse, enter } = createApp(options);
    const startupServer = new StartupServer(app);
    app.get('/livez', (_request, reply) => startupServer.live(reply));
    // Answer here, because the body may have a type that is refused later.
    app.addHook('onRequest', (request, reply, done) => {
      if (refusesHost(request, reply, refuse)) return;
      if (request.method === 'OPTIONS') answerPreflight(request, reply);
      else if (request.is404) {
        refuse(reply, 'NODE_NOT_READY', { message: startupServer.doing, retryAfter: RETRY_AFTER });
      } else done();
    });
    await enter();
    return startupServer;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  private live(reply: FastifyReply): FastifyReply {
    writeJson(reply, JSON_TYPE, JSON.stringify(liveness(this.chainId)), noStore);
    return reply;
  }
}
