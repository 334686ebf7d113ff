/** A TCP relay between two ports of loopback that can be cut, slowed and mended. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Bytes on the way in one direction; beyond them the sender waits. */
const MOST_IN_FLIGHT = 8_388_608;

export class Relay {
  readonly port: number;
  /** Milliseconds that each piece of data takes from one end to the other. */
  delay = 0;
  /** Bytes that have not reached the other end yet. */
  inFlight = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => {
      if (this.isCut) {
        near.destroy();
        return;
      }
      const far = connect(target, '127.0.0.1');
      this.carry(near, far);
      this.carry(far, near);
    });
  }

  /** @param target the port that it connects to */
  static async open(target: number): Promise<Relay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, target);
  }

  /** Ends all connections and accepts none. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
    this.delay = 0;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private carry(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
      line.length = 0;
      this.inFlight -= bytes;
      bytes = 0;
      clearTimeout(timer);
    });
    // A queue of pieces with their arrival times, so that one piece need not wait for another.
    const line: { data: Buffer; due: number }[] = [];
    let bytes = 0;
    let timer: NodeJS.Timeout | undefined;
    const send = (): void => {
      while (line.length > 0 && (line[0]?.due ?? 0) <= performance.now()) {
        const { data = Buffer.alloc(0) } = line.shift() ?? {};
        bytes -= data.length;
        this.inFlight -= data.length;
        if (!to.destroyed && !to.write(data)) {
          to.once('drain', send);
          return;
        }
      }
      const [next] = line;
      if (next) timer = setTimeout(send, Math.ceil(next.due - performance.now()));
      if (bytes <= MOST_IN_FLIGHT) from.resume();
    };
    from.on('data', (data: Buffer) => {
      bytes += data.length;
      this.inFlight += data.length;
      line.push({ data, due: performance.now() + this.delay });
      if (bytes > MOST_IN_FLIGHT) from.pause();
      if (line.length === 1) send();
    });
  }
}
