/** A TCP relay between two ports of loopback that can be cut, slowed and mended. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Relay {
  readonly port: number;
  /** Milliseconds that each piece of data takes from one end to the other. */
  delay = 0;
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
    });
    // One timer at a time keeps the order, and a pause bounds what is in flight.
    from.on('data', (data) => {
      const write = (): void => {
        if (to.destroyed || to.write(data)) from.resume();
        else to.once('drain', () => from.resume());
      };
      from.pause();
      if (this.delay === 0) write();
      else setTimeout(write, this.delay);
    });
  }
}
