/** Serves HTTP and HTTPS on one port, by the first byte of a connection. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server as TlsServer, type TLSSocket } from 'node:tls';

/** RFC 8446 section 5.1; no HTTP method begins with this byte. */
const TLS_HANDSHAKE = 0x16;

interface SharedPortOptions {
  /** PEM. */
  key: string;
  cert: string;
  /** Milliseconds for the first byte, then for the handshake. */
  patience: number;
}

/** The server must not listen yet. Its limits, timeouts and shutdown apply to decrypted connections. */
export function sharePortWithTls(server: Server, { key, cert, patience }: SharedPortOptions): void {
  const accept = server.listeners('connection') as ((socket: Socket | TLSSocket) => void)[];
  const acceptHttp = (socket: Socket | TLSSocket): void => {
    for (const listener of accept) listener.call(server, socket);
  };
  const tls: TlsServer = createServer(
    { key, cert, handshakeTimeout: patience, ALPNProtocols: ['http/1.1'] },
    acceptHttp,
  );
  tls.on('tlsClientError', (_error, socket) => socket.destroy());
  const silent = new Set<Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const end = (): void => void socket.destroy();
    silent.add(socket);
    socket.setTimeout(patience, end);
    socket.once('error', end);
    socket.once('end', end);
    socket.once('close', () => silent.delete(socket));
    socket.once('data', (first: Buffer) => {
      silent.delete(socket);
      socket.pause();
      socket.setTimeout(0);
      socket.off('timeout', end);
      socket.off('error', end);
      socket.off('end', end);
      socket.unshift(first);
      // TLS reads from the handle; HTTP needs a flowing socket.
      if (first[0] === TLS_HANDSHAKE) tls.emit('connection', socket);
      else {
        acceptHttp(socket);
        socket.resume();
      }
    });
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const socket of silent) socket.destroy();
    closeIdle();
  };
}
