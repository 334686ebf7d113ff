/** A lying node for tests: it passes on the answers of a real node, except those that the test changes. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A change to answers of the node. */
export interface Lie {
  /** Paths it is used at: those that begin with these words, or match, the query among them. */
  path: string | RegExp;
  /** The requests it is used for: reads, writes, or both, which is the default. */
  method?: 'GET' | 'POST';
  /** How often; default each time. */
  times?: number;
  /** The document to answer in place of the node's. The node is asked all the same: a write has happened. */
  say?: (document: Record<string, unknown>) => unknown;
  /** The status that it is said with; default that of the node. */
  status?: number;
  /** Nothing is said: the connection breaks, after the node has been asked. */
  silent?: boolean;
}

export interface LiarOptions {
  /** The node that it stands before. */
  url: string;
  /** Lies that are told from the beginning; the first that fits counts. */
  lies?: readonly Lie[];
}

/** Starts one on a free port of this machine: give its `url` to an agent or a client. */
export async function startLiar({ url, lies = [] }: LiarOptions): Promise<Liar> {
  const liar = new Liar(new URL(url));
  liar.tell(...lies);
  await liar.listen();
  return liar;
}

/** A lie, and how often it is still used. */
interface Told {
  lie: Lie;
  left: number;
}

export class Liar {
  /** Paths that were asked for, as `GET /v1/network`. */
  readonly requests: string[] = [];
  /** How many lies were told. */
  told = 0;
  private readonly node: URL;
  private lies: Told[] = [];
  private readonly server = createServer((asked, answer) => this.pass(asked, answer));

  constructor(node: URL) {
    this.node = node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Lies from now on, before all that it tells already. */
  tell(...lies: readonly Lie[]): void {
    this.lies.unshift(...lies.map((lie) => ({ lie, left: lie.times ?? Infinity })));
  }

  /** Says nothing but what the node says, from now on. */
  repent(): void {
    this.lies = [];
  }

  /** @ignore what startLiar calls */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.server.unref();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** Stops it at the end of an `await using` block. */
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
    // Nothing that could be lied about, or a lie that fails on it: the connection breaks, so that its test sees it.
    answer.destroy();
    return;
  }
  const status = lie.status ?? told.status;
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  answer.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  answer.end(body);
}
