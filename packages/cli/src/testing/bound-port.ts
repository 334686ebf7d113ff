/** A port of this machine, held until it is released. */
import { createServer, type AddressInfo } from 'node:net';

export async function boundPort(wanted: number): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, close: () => void server.close() };
}
