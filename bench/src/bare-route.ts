/** Bare Fastify with one route for given bytes, to compare cached reads with. */
import Fastify from 'fastify';
import { registerCommonPlugins } from './common-plugins.ts';
import { answerCalls } from './remote-program.ts';

const app = Fastify();
let bytes = Buffer.alloc(0);

const calls = {
  /**
   * Returns the port.
   * @param plugins true to add the common plugins (common-plugins.ts)
   */
  listen: async ({ plugins }: { plugins: boolean }): Promise<number> => {
    if (plugins) await registerCommonPlugins(app);
    app.get('/document', (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(bytes),
    );
    await app.listen({ host: '127.0.0.1', port: 0 });
    return (app.server.address() as { port: number }).port;
  },

  /** Replaces what GET /document sends. */
  put: ({ document }: { document: Uint8Array }): void => {
    bytes = Buffer.from(document);
  },
};

export type BareRoute = typeof calls;

answerCalls(calls);
