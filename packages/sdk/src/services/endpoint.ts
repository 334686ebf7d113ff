/** Handlers of services that call an endpoint of a web framework in this process, so its validation and middleware apply. */
import { createServer, request, type RequestListener } from 'node:http';
import { Duplex } from 'node:stream';
import { canonicalize, MAX_BLOB_BYTES, readBounded } from '@netd/protocol';
import { AgentError } from '../agent/agent-error.ts';
import { requireHandler } from '../agent/arguments.ts';
import { refuseArgument } from '../agent/core-error.ts';
import { exactValue } from '../agent/exact-value.ts';
import type { Job } from '../index.ts';

/** Handler of a service. The service's type of output checks what it returns. */
// oxlint-disable-next-line typescript/no-explicit-any
export type EndpointHandler = (job: Pick<Job<unknown>, 'data' | 'signal'>) => Promise<any>;

interface Answer {
  status: number;
  body: Parameters<typeof readBounded>[0];
}

/** Characters of a refusal that the error quotes at most. */
const MOST_WORDS = 500;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/**
 * Returns a handler that sends each input to an app of Hono, or to any other with `fetch`; a route handler of Next.js
 * is `{ fetch: POST }`.
 * @param endpoint method and path, such as 'POST /summarize'
 * @throws AgentError ARGUMENT_INVALID; the handler throws HANDLER_FAILED if the answer is no success, or longer than
 *   8 MiB, the most that a result may have
 */
export function fetchHandler(
  app: { fetch: (request: Request) => Response | Promise<Response> },
  endpoint: string,
): EndpointHandler {
  requireHandler('fetchHandler', (app as Partial<typeof app> | null)?.fetch);
  return handlerOf(endpoint, async ({ method, path, body, signal }) => {
    const init = { method, headers: HEADERS, body, signal };
    const response = await app.fetch(new Request(`http://service${path}`, init));
    return response;
  });
}

/**
 * Returns a handler that sends each input to an app of Express, or to any other listener of Node's requests. It opens
 * no port.
 * @param endpoint method and path, such as 'POST /summarize'
 * @throws AgentError ARGUMENT_INVALID; the handler throws HANDLER_FAILED if the answer is no success, or longer than
 *   8 MiB, the most that a result may have
 */
export function expressHandler(
  app: (request: never, response: never) => unknown,
  endpoint: string,
): EndpointHandler {
  requireHandler('expressHandler', app);
  const server = createServer(app as RequestListener);
  return handlerOf(endpoint, async ({ method, path, body, signal }) => {
    const [near, far] = pair();
    server.emit('connection', far);
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const headers = { ...HEADERS, ...length, host: 'service', connection: 'close' };
    return new Promise((resolve, reject) => {
      const options = { method, path, headers, signal, createConnection: () => near };
      request(options, (response) => {
        const { statusCode: status = 0 } = response;
        resolve({ status, body: response });
      })
        .on('error', reject)
        .end(body);
    });
  });
}

function handlerOf(
  endpoint: string,
  ask: (asked: {
    method: string;
    path: string;
    body: string;
    signal: AbortSignal;
  }) => Promise<Answer>,
): EndpointHandler {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(endpoint) ?? [];
  if (method === undefined || path === undefined || method === 'GET') {
    const given = JSON.stringify(endpoint);
    refuseArgument(
      'endpoint',
      `${given} is not a method with a body and a path, such as 'POST /summarize'`,
    );
  }
  return async ({ data, signal }) => {
    const asked = { method, path, body: canonicalize(exactValue(data)), signal };
    const { status, body: answer } = await ask(asked);
    const bytes = await readBounded(answer, MAX_BLOB_BYTES);
    if (bytes === null) {
      const most = `${MAX_BLOB_BYTES} bytes, the most that a result may have`;
      throw new AgentError('HANDLER_FAILED', `${endpoint} answered with more than ${most}`);
    }
    const body = new TextDecoder().decode(bytes);
    const said = `${endpoint} answered ${status}: ${body.slice(0, MOST_WORDS)}`;
    if (status < 200 || status > 299) throw new AgentError('HANDLER_FAILED', said);
    try {
      return JSON.parse(body) as unknown;
    } catch {
      throw new AgentError('HANDLER_FAILED', `no JSON: ${said}`);
    }
  };
}

/** Two ends of a connection in memory: `duplexPair` of newer versions of Node. */
function pair(): [Duplex, Duplex] {
  const near: End = new End(() => far);
  const far: End = new End(() => near);
  return [near, far];
}

class End extends Duplex {
  private readonly other: () => End;
  private taken: ((error?: Error) => void) | null = null;

  constructor(other: () => End) {
    super();
    this.other = other;
    // The client or the server of HTTP reports the error.
    this.on('error', () => {});
  }

  override _read(): void {
    const { taken } = this;
    this.taken = null;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    const other = this.other();
    if (other.destroyed) {
      done(new Error('the other end is closed'));
      return;
    }
    other.taken = done;
    other.push(chunk);
  }

  override _final(done: () => void): void {
    this.other().push(null);
    done();
  }

  /** Closes the other end too. It can still read what it has. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { taken } = this;
    this.taken = null;
    const other = this.other();
    process.nextTick(() => {
      taken?.();
      if (error) other.destroy(error);
      else other.push(null);
    });
    done(error);
  }
}
