/** Ends connections when the service stops: active ones after a grace, stalled ones at once. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds for running transfers. */
const GRACE_MILLISECONDS = 5_000;
const ARRIVAL_MILLISECONDS = 1_000;
const SWEEP_MILLISECONDS = 50;

interface Arrival {
  bytes: number;
  since: number;
}

export class Connections {
  private readonly server: Server;
  private readonly open = new Set<Socket>();
  private readonly responses = new WeakMap<Socket, ServerResponse>();

  /** Create it before the port is shared with TLS. */
  constructor(server: Server) {
    this.server = server;
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
    server.on('request', ({ socket }, response) => this.responses.set(socket, response));
  }

  async closeWith(closed: () => Promise<unknown>): Promise<void> {
    const arrivals = new Map<Socket, Arrival>();
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      for (const socket of this.open) this.closeWhereSilent(socket, arrivals);
    }, SWEEP_MILLISECONDS);
    const deadline = setTimeout(() => this.server.closeAllConnections(), GRACE_MILLISECONDS);
    try {
      await closed();
    } finally {
      clearInterval(sweep);
      clearTimeout(deadline);
    }
  }

  /** The request is incomplete, so the client has been promised nothing. */
  private closeWhereSilent(socket: Socket, arrivals: Map<Socket, Arrival>): void {
    if (this.responses.get(socket)?.req.complete === true) return;
    const now = performance.now();
    const last = arrivals.get(socket);
    if (last?.bytes !== socket.bytesRead) {
      arrivals.set(socket, { bytes: socket.bytesRead, since: now });
    } else if (now - last.since >= ARRIVAL_MILLISECONDS) socket.destroy();
  }
}
