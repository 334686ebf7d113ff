/**
 * Connections are open files: a client that opens many idle ones takes them from all others. An address has a share of them, one
 * that never says a word is closed early, and when they run short, so is one that waits for its next request.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressShares, addressShare } from './address-share.ts';

export interface ConnectionLimits {
  /** Connections of one address. */
  connectionsPerAddress: number;
  /** Milliseconds until a connection that has not carried a byte is closed. */
  silentTime: number;
}

export interface GuardOptions extends ConnectionLimits {
  /** Whether an address has no share: of a proxy that brings many, or of this machine. */
  isExempt: (address: string) => boolean;
  /** Called for every connection beyond a share. */
  onRefused: () => void;
}

/** Connections beyond a share that are told why they are refused: each keeps a file for a moment. */
const MAX_REFUSALS_EXPLAINED = 32;
const EXPLAINED_MILLISECONDS = 1_000;
const LOOK_MILLISECONDS = 500;
/** Of all connections that there may be: with more, room is made. */
const SHORT = 7 / 8;
/** How long a connection may say nothing then. */
const SILENT_WHEN_SHORT = 2_000;

export class ConnectionGuard {
  private readonly options: GuardOptions;
  private readonly shares = new AddressShares();
  private readonly refused = new WeakMap<Socket, string>();
  private explained = 0;
  /** Connections that have carried no byte, and since when. */
  private readonly silent = new Map<Socket, number>();
  private open = 0;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: GuardOptions) {
    this.options = options;
  }

  /** Watches every connection of a server that does not listen yet. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open += 1;
      this.silent.set(socket, performance.now());
      // Only while there are any: an idle service sleeps.
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

  /** Whose share a connection is beyond; null where it is within. Its first request is to be refused, and the connection closed. */
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
      // The others have come later.
      else if (now - since < patience) break;
      else socket.destroy();
    }
    // Those that have had their answer: the next request opens another one.
    if (isShort) server.closeIdleConnections();
  }
}
