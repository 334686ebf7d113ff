/** A lying node for tests. It passes on the answers of a real node, except those that the test changes. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that a liar gives instead of the node. */
export interface Lie {
  /** Prefix of the paths, with query, that get this lie; or a pattern for them. */
  path: string | RegExp;
  /** Method of the requests that it answers; default any. */
  method?: 'GET' | 'POST';
  /** Number of times to lie; default no limit. */
  times?: number;
  /** Returns the false document. The real node gets the request too, so a write takes effect. */
  say?: (document: Record<string, unknown>) => unknown;
  /** Status of the answer; default the node's. */
  status?: number;
  /** True to break the connection instead of answering. The real node gets the request too. */
  silent?: boolean;
}

/** The node behind a liar, and its lies. */
export interface LiarOptions {
  /** Address of the node. */
  url: string;
  /** Lies to tell from the start. Each request gets the first lie that matches it. */
  lies?: readonly Lie[] | undefined;
}

/** Starts a lying node on a free port. Give its `url` to an agent or a client. */
export async function startLiar({ url, lies = [] }: LiarOptions): Promise<Liar> {
  const liar = new Liar(new URL(url));
  liar.tell(...lies);
  await liar.listen();
  return liar;
}

interface Told {
  lie: Lie;
  left: number;
}

/** A server in front of a node that answers some requests with lies. */
export class Liar {
  /** Paths of all requests so far. */
  readonly requests: string[] = [];
  /** Count of lies told so far. */
  told = 0;
  private readonly node: URL;
  private lies: Told[] = [];
  private readonly server = createServer((asked, answer) => this.pass(asked, answer));

  constructor(node: URL) {
    this.node = node;
  }

  /** Address of the liar. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds lies, which come before the earlier ones. */
  tell(...lies: readonly Lie[]): void {
    this.lies.unshift(...lies.map((lie) => ({ lie, left: lie.times ?? Infinity })));
  }

  /** Answers truthfully from now on. */
  repent(): void {
    this.lies = [];
  }

  /** @ignore for startLiar */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.server.unref();
  }

  /** Closes the server. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = 'GET', url: path = '/' } = asked;
    this.requests.push(`${method} ${path}`);
    const headers = { ...asked.headers, host: this.node.host, 'accept-encoding': 'identity' };
    const lie = this.lieFor(method, path);
    // A lie needs the whole document, not a 304.
    if (lie) delete (headers as Record<string, unknown>)['if-none-match'];
    const passed = request(new URL(path, this.node), { method, headers }, (told) => {
      if (!lie) {
        answer.writeHead(told.statusCode ?? 502, told.headers);
        told.pipe(answer);
        return;
      }
      const parts: Buffer[] = [];
      told.on('data', (part: Buffer) => parts.push(part));
      told.on('end', () => {
        this.told += 1;
        say(lie, { status: told.statusCode ?? 502, body: Buffer.concat(parts) }, answer);
      });
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }

  private lieFor(method: string, path: string): Lie | null {
    const found = this.lies.find(
      ({ lie, left }) =>
        left > 0 &&
        (lie.method ?? method) === method &&
        (typeof lie.path === 'string' ? path.startsWith(lie.path) : lie.path.test(path)),
    );
    if (!found) return null;
    found.left -= 1;
    return found.lie;
  }
}

function say(lie: Lie, told: { status: number; body: Buffer }, answer: ServerResponse): void {
  if (lie.silent === true) {
    answer.destroy();
    return;
  }
  let body: string;
  try {
    const document = JSON.parse(told.body.toString()) as Record<string, unknown>;
    body = JSON.stringify(lie.say ? lie.say(document) : document);
  } catch {
    // Nothing to lie about, or the lie threw: break the connection, so that the test sees it.
    answer.destroy();
    return;
  }
  const status = lie.status ?? told.status;
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  answer.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  answer.end(body);
}
