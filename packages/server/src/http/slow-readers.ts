import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.ts';

interface Delivery {
  startedAt: number;
  /** Bytes of the connection that were sent when the delivery began. */
  bytesBefore: number;
}

export class SlowReaders {
  private readonly limits: HttpLimits;
  private readonly onClose: () => void;
  private readonly connections = new Map<Socket, Delivery | null>();

  constructor(limits: HttpLimits, onClose: () => void) {
    this.limits = limits;
    this.onClose = onClose;
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, null);
      socket.once('close', () => this.connections.delete(socket));
    });
    const timer = setInterval(() => this.check(performance.now()), this.limits.answerCheckInterval);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  exempt(socket: Socket): void {
    this.connections.delete(socket);
  }

  /** @param now monotonic milliseconds */
  check(now: number): void {
    const { answerTime, answerRate } = this.limits;
    let unsent = 0;
    for (const [socket, delivery] of this.connections) {
      if (socket.destroyed) continue;
      const waiting = socket.writableLength;
      unsent += waiting;
      if (waiting === 0) {
        if (delivery) this.connections.set(socket, null);
      } else if (delivery === null) {
        const bytesBefore = socket.bytesWritten - waiting;
        this.connections.set(socket, { startedAt: now, bytesBefore });
      } else {
        const bytes = socket.bytesWritten - delivery.bytesBefore;
        if (now - delivery.startedAt <= answerTime + (bytes / answerRate) * 1_000) continue;
        this.close(socket);
      }
    }
    if (unsent > this.limits.unsentBytes) this.closeSlowest(unsent - this.limits.unsentBytes);
  }

  private closeSlowest(tooMuch: number): void {
    const delivering = [...this.connections].flatMap(([socket, delivery]) =>
      delivery && !socket.destroyed ? [{ socket, ...delivery }] : [],
    );
    let left = tooMuch;
    for (const { socket } of delivering.toSorted((a, b) => a.startedAt - b.startedAt)) {
      if (left <= 0) return;
      left -= socket.writableLength;
      this.close(socket);
    }
  }

  private close(socket: Socket): void {
    socket.destroy();
    this.onClose();
  }
}
