/**
 * A connection between a command and a node that breaks during a write: the node receives it, but its answer
 * is lost.
 */
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

export class CutWire {
  readonly url: string;
  /** Number of writes that arrived, including those with lost answers. */
  writes = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private state: 'whole' | 'armed' | 'cut' = 'whole';
  /** Reads that still pass; infinite unless `armAfterReads` set a limit. */
  private readsLeft = Infinity;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(target: string): Promise<CutWire> {
    const { hostname, port } = new URL(target);
    const server = createServer((near) => wire.carry(near, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const wire = new CutWire(server);
    return wire;
  }

  /** Lets only the next write arrive, until `mend`. */
  arm(): void {
    this.state = 'armed';
  }

  /** Answers this many more reads, then nothing, until `mend`. */
  armAfterReads(count: number): void {
    this.readsLeft = count;
  }

  mend(): void {
    this.state = 'whole';
    this.readsLeft = Infinity;
  }

  get isCut(): boolean {
    return this.state === 'cut';
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(near: Socket, far: Socket): void {
    let answers = true;
    const end = (): void => {
      for (const socket of [near, far]) {
        socket.destroy();
        this.sockets.delete(socket);
      }
    };
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    if (this.state === 'cut') return end();
    near.on('data', (bytes) => {
      if (this.state === 'cut') return end();
      if (bytes.subarray(0, 4).toString('latin1') === 'GET ' && --this.readsLeft < 0) {
        this.state = 'cut';
        return end();
      }
      // Node's client writes a request head in one piece.
      if (bytes.subarray(0, 5).toString('latin1') === 'POST ') {
        this.writes++;
        if (this.state === 'armed') {
          this.state = 'cut';
          answers = false;
        }
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (answers) near.write(bytes);
      else end();
    });
  }
}
