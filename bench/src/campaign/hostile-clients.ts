/** Hostile clients: slow, incomplete, pipelined, aborted, and not HTTP. */
import { connect, type Socket } from 'node:net';
import type { Random } from '@netd/testkit/simulation';

const HOSTILE = 48;
/** Between bytes of a slow client. */
const SLOW_MILLISECONDS = 20;

type Attack = (socket: Socket, random: Random) => void;

const drip =
  (bytes: string): Attack =>
  (socket) => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(bytes[at++ % bytes.length] ?? 'x');
    }, SLOW_MILLISECONDS);
    socket.once('close', () => clearInterval(timer));
  };

const once =
  (bytes: (random: Random) => string | Buffer): Attack =>
  (socket, random) => {
    socket.write(bytes(random));
  };

const POST = 'POST /v1/intents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const ATTACKS: readonly Attack[] = [
  drip('GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  drip(`${POST}Content-Length: 60000\r\n\r\n{"actorId":"`),
  once(() => `${POST}Content-Length: 60000\r\n\r\n{"half":`),
  once((random) => Buffer.from(Array.from({ length: 2_000 }, () => random.below(256)))),
  once(() => `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  once(() => `${POST}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n`),
  once(() => `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`),
  // Many answers that are never read.
  (socket) => {
    socket.pause();
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  },
  (socket) => {
    socket.pause();
    socket.write(
      'GET /v1/events?after=0.0 HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n',
    );
  },
  (socket) => {
    socket.write(`${POST}Content-Length: 100\r\n\r\n{`, () => socket.resetAndDestroy());
  },
];

/**
 * Attacks a port until stopped.
 * @param connections additional idle connections
 * @returns a function that stops it
 */
export function attack(port: number, random: Random, connections = 0): () => void {
  const sockets = new Set<Socket>();
  let over = false;
  const open = (work: Attack | null): void => {
    if (over) return;
    const socket = connect(port, '127.0.0.1', () => work?.(socket, random));
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      // A dead node refuses at once, so limit the rate.
      if (work) setTimeout(() => open(random.pick(ATTACKS)), 50);
    });
  };
  for (let i = 0; i < HOSTILE; i++) open(random.pick(ATTACKS));
  for (let i = 0; i < connections; i++) open(null);
  return () => {
    over = true;
    for (const socket of sockets) socket.destroy();
  };
}
