/** Who answers while there is no node yet: the process lives, it is not ready, and that is how far it is. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerPreflight, writeJson } from './answer.ts';
import { noStore } from './cache-policy.ts';
import { JSON_TYPE } from './encoded-document.ts';
import { createApp, refusesHost, type AppOptions } from './create-app.ts';
import { liveness } from './routes/health.ts';

/** Seconds: a restore takes minutes, and those who wait for it want to see it go on. */
const RETRY_AFTER = 5;

export class StartupServer {
  /** Null while it is not known. */
  chainId: string | null = null;
  /** What goes on, for people: a sentence without its full stop. */
  doing = '';
  private readonly app: FastifyInstance;

  private constructor(app: FastifyInstance) {
    this.app = app;
  }

  /** Resolves when it stands behind the listener. */
  static async enter(options: AppOptions): Promise<StartupServer> {
    const { app, refuse, enter } = createApp(options);
    const startupServer = new StartupServer(app);
    app.get('/livez', (_request, reply) => startupServer.live(reply));
    // Before the body is looked at, which may be of any type.
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

  /** When another server stands behind the listener, or none is to. */
  close(): Promise<void> {
    return this.app.close();
  }

  private live(reply: FastifyReply): FastifyReply {
    writeJson(reply, JSON_TYPE, JSON.stringify(liveness(this.chainId)), noStore);
    return reply;
  }
}
