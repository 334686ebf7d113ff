/**
 * Takes the requests of a connection one after the other, each in a turn of the event loop of its own. Node hands out all that
 * came in one piece at once: a thousand answers would be made in one turn, and lie in memory until the first of them is taken.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * @param most requests that may wait behind the one that is answered; a connection with more is closed
 * @param onTooMany called for every one that is
 */
export function oneAtATime(
  answer: RequestListener,
  most: number,
  onTooMany: () => void,
): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node gives the connection to one answer at a time.
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
        // A client that has hung up is not answered: it would not be reported again.
        if (!socket.destroyed) answer(request, response);
      });
    });
  };
}
