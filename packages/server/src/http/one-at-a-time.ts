/** Node emits pipelined requests at once: a thousand answers would be made in one turn and held in memory. */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * @param most waiting requests; beyond that the connection is closed
 * @param onTooMany for each such connection
 */
export function oneAtATime(
  answer: RequestListener,
  most: number,
  onTooMany: () => void,
): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    if (response.socket) {
      answer(request, response);
      return;
    }
    const { socket } = request;
    if (socket.destroyed) return;
    const ahead = (waiting.get(socket) ?? 0) + 1;
    if (ahead > most) {
      socket.destroy();
      onTooMany();
      return;
    }
    waiting.set(socket, ahead);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      setImmediate(() => {
        // The client has hung up; that is not reported again.
        if (!socket.destroyed) answer(request, response);
      });
    });
  };
}
