/** Fastify alone with one route that sends given bytes: what a cached read is compared with. */
import Fastify from 'fastify';
import { answerCalls } from './remote-program.ts';

const app = Fastify();
let bytes = Buffer.alloc(0);
app.get('/document', (_request, reply) =>
  reply.type('application/json; charset=utf-8').send(bytes),
);

const calls = {
  /** Answers the port. */
  listen: async (): Promise<number> => {
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
