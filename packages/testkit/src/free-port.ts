import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral range, so that neither port 0 nor an outgoing connection takes it meanwhile. */
const [FIRST, LAST] = [12_000, 32_000];

/** Returns a port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = await listening(port);
    if (server === null) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Null if the port is taken. */
function listening(port: number): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
