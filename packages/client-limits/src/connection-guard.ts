/**
 * Gives each address a share of the connections. Silent ones are closed early, and idle ones if connections
 * run short.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressShares, addressShare } from './address-share.ts';

export interface ConnectionLimits {
  connectionsPerAddress: number;
  /** Milliseconds before a connection without any byte is closed. */
  silentTime: number;
}

export interface GuardOptions extends ConnectionLimits {
  /** True for addresses without a share: proxies for many clients, and this machine. */
  isExempt: (address: string) => boolean;
  onRefused: () => void;
}

/** Bounds explained refusals, because each keeps a file open for a moment. */
const MAX_REFUSALS_EXPLAINED = 32;
const EXPLAINED_MILLISECONDS = 1_000;
const LOOK_MILLISECONDS = 500;
/** Above this part of all connections, connections are short. */
const SHORT = 7 / 8;
/** Milliseconds that a connection may be silent while connections are short. */
const SILENT_WHEN_SHORT = 2_000;

export class ConnectionGuard {
  private readonly options: GuardOptions;
  private readonly shares = new AddressShares();
  private readonly refused = new WeakMap<Socket, string>();
  private explained = 0;
  private readonly silent = new Map<Socket, number>();
  private open = 0;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: GuardOptions) {
    this.options = options;
  }

  /** Watches all connections. Call it before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open += 1;
      this.silent.set(socket, performance.now());
      this.timer ??= setInterval(() => this.look(server), LOOK_MILLISECONDS).unref();
      socket.once('close', () => {
        this.open -= 1;
        this.silent.delete(socket);
        if (this.open === 0 && this.timer !== null) {
          clearInterval(this.timer);
          this.timer = null;
        }
      });
      this.count(socket);
    });
  }

  /** Returns the exceeded share, or null. The caller refuses the first request and closes the connection. */
  refusedShare(socket: Socket): string | null {
    return this.refused.get(socket) ?? null;
  }

  private count(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.options.isExempt(address)) return;
    const share = addressShare(address);
    if (!this.shares.isFull(share, this.options.connectionsPerAddress)) {
      this.shares.add(share);
      socket.once('close', () => this.shares.remove(share));
      return;
    }
    this.options.onRefused();
    if (this.explained >= MAX_REFUSALS_EXPLAINED) {
      socket.destroy();
      return;
    }
    this.explained += 1;
    this.refused.set(socket, share);
    const timer = setTimeout(() => socket.destroy(), EXPLAINED_MILLISECONDS);
    socket.once('close', () => {
      this.explained -= 1;
      clearTimeout(timer);
    });
  }

  private look(server: Server): void {
    const isShort = this.open >= server.maxConnections * SHORT;
    const patience = isShort
      ? Math.min(SILENT_WHEN_SHORT, this.options.silentTime)
      : this.options.silentTime;
    const now = performance.now();
    for (const [socket, since] of this.silent) {
      if (socket.bytesRead > 0) this.silent.delete(socket);
      else if (now - since < patience) break;
      // A busy process may not have read yet what arrived.
      else setImmediate(() => socket.bytesRead === 0 && socket.destroy());
    }
    if (isShort) server.closeIdleConnections();
  }
}
