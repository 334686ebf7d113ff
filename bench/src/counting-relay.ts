/** A TCP relay between nodes that counts bytes both ways and leaves HTTP untouched. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CountingRelay {
  url: string;
  /** Bytes sent and received by the node behind it since the start. */
  sent(): number;
  received(): number;
  close(): void;
}

/** @param port of the node behind it, on this machine */
export async function startCountingRelay(port: number): Promise<CountingRelay> {
  let sent = 0;
  let received = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const node = connect(port, '127.0.0.1');
    client.on('data', (chunk) => (received += chunk.length));
    node.on('data', (chunk) => (sent += chunk.length));
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    received: () => received,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
