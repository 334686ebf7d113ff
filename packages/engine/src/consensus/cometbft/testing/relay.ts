/** A TCP relay between two loopback ports that can be cut and joined again. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Relay {
  readonly port: number;
  private readonly server: Server;
  private readonly sockets: Set<Socket>;
  private isCut = false;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    this.sockets = new Set();
    server.on('connection', (near) => {
      if (this.isCut) {
        near.destroy();
        return;
      }
      const far = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(one);
        one.on('error', () => one.destroy());
        one.on('close', () => {
          this.sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  /** @param target the port that it connects to */
  static async open(target: number): Promise<Relay> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Relay(server, target);
  }

  /** Ends all connections and accepts none. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.cut();
    await closed;
  }
}
