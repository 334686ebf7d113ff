/**
 * Answers a connection's requests one after another. Node emits pipelined requests at once, and a thousand
 * answers would fill the memory.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

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
        if (!socket.destroyed) answer(request, response);
      });
    });
  };
}
