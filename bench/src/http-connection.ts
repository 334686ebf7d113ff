/** A keep-alive connection with one request at a time, no retries, and a name for every failure. */
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  status: number;
  /** Raw status line and headers. */
  head: string;
  body: Buffer;
}

/** Its code is the socket's error code, `CLOSED` or `NOT_HTTP`. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly code: string;

  constructor(code: string) {
    super(`the connection failed: ${code}`);
    this.code = code;
  }
}

interface Pending {
  resolve: (answer: HttpAnswer) => void;
  reject: (error: ConnectionError) => void;
}

export class HttpConnection {
  /** Why the connection is unusable, or null. */
  failure: string | null = null;
  private readonly socket: Socket;
  private pending: Pending | null = null;
  private chunks: Buffer[] = [];
  private received = 0;
  /** The incoming answer's head once complete: status, text, and the body's start and end. */
  private head: { status: number; text: string; bodyAt: number; end: number } | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => this.fail(error.code ?? error.message));
    socket.on('close', () => this.fail('CLOSED'));
  }

  /** @throws ConnectionError */
  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const refuse = (error: NodeJS.ErrnoException): void => {
        reject(new ConnectionError(error.code ?? error.message));
      };
      socket.once('error', refuse);
      socket.once('connect', () => {
        socket.off('error', refuse);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** @throws ConnectionError if the connection ends before the answer */
  send(request: Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) {
        reject(new ConnectionError(this.failure));
        return;
      }
      this.pending = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.failure ??= 'ENDED';
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    this.head ??= this.readHead();
    if (this.head === null || this.received < this.head.end) return;
    const { status, text: head, bodyAt, end } = this.head;
    const body = this.joined().subarray(bodyAt, end);
    this.chunks = [];
    this.received = 0;
    this.head = null;
    const { pending } = this;
    this.pending = null;
    pending?.resolve({ status, head, body });
  }

  private readHead(): HttpConnection['head'] {
    const bytes = this.joined();
    const bodyAt = bytes.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return null;
    const text = bytes.toString('latin1', 0, bodyAt);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined) {
      this.fail('NOT_HTTP');
      return null;
    }
    return { status: Number(text.slice(9, 12)), text, bodyAt, end: bodyAt + Number(length) };
  }

  private joined(): Buffer {
    const [first] = this.chunks;
    if (this.chunks.length === 1 && first) return first;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }

  private fail(code: string): void {
    this.failure ??= code;
    const { pending } = this;
    this.pending = null;
    pending?.reject(new ConnectionError(this.failure));
    this.socket.destroy();
  }
}

export function getRequest(path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', accept: '*/*', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
}

export function postRequest(path: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Returns a refusal's code, or its status. */
export function codeOf({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): string {
  try {
    return (JSON.parse(body.toString()) as { code?: string }).code ?? String(status);
  } catch {
    return String(status);
  }
}
