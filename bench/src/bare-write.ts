/**
 * A server (Fastify or Node alone) that reads bodies and answers given bytes: the minimum cost of an HTTP write.
 */
import { createServer, type Server } from 'node:http';
import Fastify from 'fastify';
import { answerCalls } from './remote-program.ts';

export interface BareAnswer {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  body: string;
}

let answer: BareAnswer = { status: 500, headers: [], body: '' };

const calls = {
  /** Returns the port. */
  listen: async ({ framework }: { framework: 'fastify' | 'none' }): Promise<number> => {
    const server = framework === 'fastify' ? await fastifyServer() : nodeServer();
    // Connections idle while others take their turns.
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 8_192, resolve));
    return (server.address() as { port: number }).port;
  },

  /** Sets the answer to every POST. */
  put: (next: BareAnswer): void => {
    answer = next;
  },
};

export type BareWrite = typeof calls;

function nodeServer(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      Buffer.concat(chunks);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
}

async function fastifyServer(): Promise<Server> {
  const app = Fastify();
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/v1/intents', (_request, reply) => {
    const { status, headers, body } = answer;
    reply.code(status);
    for (let at = 0; at < headers.length; at += 2) {
      void reply.header(headers[at] ?? '', headers[at + 1]);
    }
    return reply.send(body);
  });
  await app.ready();
  return app.server;
}

answerCalls(calls);
