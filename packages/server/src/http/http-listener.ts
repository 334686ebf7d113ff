/** Listens for HTTP. It may start before the node exists; early connections wait. */
import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { MAX_ENVELOPE_BYTES } from '@netd/protocol';
import { ConnectionGuard } from '@netd/client-limits';
import type { Metrics } from '../metrics.ts';
import { createServer } from 'node:http';
import { answerClientError, refuseConnection } from './client-error.ts';
import { HTTP_LIMITS, type HttpLimits } from './limits.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { connectionsAllowed } from './open-files.ts';
import { meetExpectations } from './request-head.ts';
import { SlowReaders } from './slow-readers.ts';

const GRACE_MILLISECONDS = 5_000;
const ARRIVAL_MILLISECONDS = 1_000;
const SWEEP_MILLISECONDS = 50;

export class HttpListener {
  readonly server: Server;
  readonly limits: HttpLimits;
  readonly metrics: Metrics;
  readonly slowReaders: SlowReaders;
  private readonly connections = new Set<Socket>();
  private readonly responses = new WeakMap<Socket, ServerResponse>();
  private readonly waiting: Parameters<RequestListener>[] = [];
  private answer: RequestListener = (...asked) => void this.waiting.push(asked);

  /**
   * @param isExempt true for addresses without a share of connections, such as a proxy's
   * @throws OpenFilesError
   */
  constructor(
    metrics: Metrics,
    limits: Partial<HttpLimits> = {},
    isExempt: (address: string) => boolean = () => true,
  ) {
    this.metrics = metrics;
    this.limits = { ...HTTP_LIMITS, ...limits };
    // Node's own check would not answer with a problem document.
    const server = createServer({
      requireHostHeader: false,
      connectionsCheckingInterval: this.limits.arrivalCheckInterval,
    });
    server.keepAliveTimeout = this.limits.idleTime;
    server.requestTimeout = this.limits.requestTime;
    server.headersTimeout = this.limits.headTime;
    server.maxConnections = Math.min(connectionsAllowed(), this.limits.connections);
    const onRefused = (): void => void metrics.refusedConnections++;
    server.on('drop', onRefused);
    const guard = new ConnectionGuard({ ...this.limits, isExempt, onRefused });
    guard.watch(server);
    const take = oneAtATime(
      (request, response) => {
        this.responses.set(request.socket, response);
        const share = guard.refusedShare(request.socket);
        if (share === null) this.answer(request, response);
        else refuseConnection(metrics, response, share, this.limits.connectionsPerAddress);
      },
      this.limits.requestsAhead,
      () => metrics.countRefusal('OVERLOADED'),
    );
    server.on('request', take);
    server.on('clientError', (error, socket) =>
      answerClientError(metrics, error, socket as Socket),
    );
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    meetExpectations(server, MAX_ENVELOPE_BYTES);
    this.slowReaders = new SlowReaders(this.limits, () => metrics.slowReaders++);
    this.slowReaders.watch(server);
    this.server = server;
  }

  leadTo(answer: RequestListener): void {
    this.answer = answer;
    for (const asked of this.waiting.splice(0)) answer(...asked);
  }

  async listen(options: ListenOptions): Promise<void> {
    this.server.listen(options);
    await once(this.server, 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Answers complete requests, and closes idle and unfinished connections. */
  async close(): Promise<void> {
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      this.closeUnused();
    }, SWEEP_MILLISECONDS);
    const arrival = setTimeout(() => this.closeUnfinished(), ARRIVAL_MILLISECONDS);
    const deadline = setTimeout(() => this.server.closeAllConnections(), GRACE_MILLISECONDS);
    try {
      await new Promise((resolve) => {
        this.server.close(resolve);
      });
    } finally {
      clearInterval(sweep);
      clearTimeout(arrival);
      clearTimeout(deadline);
    }
  }

  async dismiss(): Promise<void> {
    this.server.closeAllConnections();
    await this.close();
  }

  /** Closes connections that browsers opened ahead. Node does not count them as idle. */
  private closeUnused(): void {
    for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
  }

  private closeUnfinished(): void {
    for (const socket of this.connections) {
      if (this.responses.get(socket)?.req.complete !== true) socket.destroy();
    }
  }
}
