/** A real node with HTTP on a free port and its own data directory, and a client that records requests. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  canonicalize,
  CONTROL_HEADER,
  ERROR_TABLE,
  isErrorCode,
  type ErrorCode,
  type JsonObject,
  type Problem,
  type Receipt,
} from '@netd/protocol';
import {
  applicationOf,
  claimOf,
  intentOf,
  registrationOf,
  signEnvelope,
  signingKeyOf,
  testKey,
  type Members,
  type PublicKey,
  type SigningKey,
} from '@netd/protocol/testing';
import { serve, type RunningNode, type ServeOptions } from '@netd/node';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  /** The parsed body if it is JSON, else empty. */
  body: JsonObject;
}

export type Body = string | Uint8Array | JsonObject;
type Headers = Record<string, string | number>;

const CHAIN_ID = 'net-http-test';
/** Too late for any empty block. */
const NEVER = 100_000_000;
const REQUEST_DEADLINE_MILLISECONDS = 60_000;

export class HttpNode {
  readonly running: RunningNode;
  readonly dataDir: string;
  readonly port: number;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  /** `METHOD path status` of every request, compared with the description at the end. */
  private readonly seen = new Set<string>();
  private nonces = 0;
  private described: Description | null = null;

  private constructor(running: RunningNode, dataDir: string) {
    this.running = running;
    this.dataDir = dataDir;
    this.port = Number(new URL(running.url).port);
  }

  /** Starts a new chain, by default without empty blocks. */
  static async start(options: Partial<ServeOptions> = {}): Promise<HttpNode> {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'netd-http-'));
    const running = await serve({
      host: '127.0.0.1',
      port: 0,
      dataDir,
      chainId: CHAIN_ID,
      blockTime: 1,
      idleBlockTime: NEVER,
      ...options,
    });
    return new HttpNode(running, dataDir);
  }

  /** Stops the node and checks that every answered status is described. */
  async stop(): Promise<void> {
    const described = await this.description();
    this.agent.destroy();
    await this.running.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
    const surprises = [...this.seen].filter((line) => {
      const [method = '', path = '', status = ''] = line.split(' ');
      const operation = operationOf(described, method, path);
      return operation !== null && !describes(operation, status);
    });
    assert.deepEqual(surprises, [], 'statuses that /openapi.json does not describe');
  }

  get url(): string {
    return this.running.url;
  }

  get chainId(): string {
    return this.running.node.dataDir.genesis.chainId;
  }

  get height(): number {
    return this.running.node.chain.height;
  }

  async description(): Promise<Description> {
    this.described ??= (await this.get('/openapi.json')).body as unknown as Description;
    return this.described;
  }

  request(method: string, path: string, headers: Headers = {}, body?: Body): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: this.agent },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('error', reject);
          incoming.on('end', () => {
            this.seen.add(`${method} ${path.split('?')[0]} ${incoming.statusCode}`);
            resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(parts)));
          });
        },
      );
      outgoing.setTimeout(REQUEST_DEADLINE_MILLISECONDS, () => {
        outgoing.destroy(new Error(`${method} ${path} got no answer in time`));
      });
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : bytesOf(body));
    });
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.request('GET', path, headers);
  }

  /** Sends the node's secret unless `headers` override it. */
  post(path: string, body: Body, headers: Headers = {}): Promise<Answer> {
    const bytes = bytesOf(body);
    const { control } = this.running;
    return this.request(
      'POST',
      path,
      {
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...(control ? { [CONTROL_HEADER]: control.token } : {}),
        ...headers,
      },
      bytes,
    );
  }

  /** Reads a document that must exist. */
  async document(path: string): Promise<JsonObject> {
    const answer = await this.get(path);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.body;
  }

  /** Sends raw bytes and collects the answer until the peer closes. */
  raw(bytes: string | Uint8Array, options: { thenClose?: boolean } = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        if (options.thenClose === true) socket.end(bytes);
        else socket.write(bytes);
      });
      const parts: Buffer[] = [];
      const done = (): void => resolve(Buffer.concat(parts).toString('latin1'));
      socket.on('data', (part: Buffer) => parts.push(part));
      socket.on('close', done);
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done();
        else reject(error);
      });
      socket.setTimeout(REQUEST_DEADLINE_MILLISECONDS, () => {
        socket.destroy(new Error('the connection stayed open'));
      });
    });
  }

  freshNonce(): string {
    return `nonce-${++this.nonces}`;
  }

  /** Makes an honest registration; `members` replace or (if undefined) remove before signing. */
  registration(
    actorId: string,
    members: Members = {},
    key: PublicKey & SigningKey = testKey(actorId),
  ): JsonObject {
    return signEnvelope(key, registrationOf({ actorId, key }, this.onThisChain(members)));
  }

  /**
   * Makes an honest intent; `members` replace or (if undefined) remove before signing. `key` signs instead of the
   * actor's own.
   */
  intent(
    actorId: string,
    action: string,
    payload: unknown,
    { key = this.keyOf(actorId), ...members }: Members & { key?: SigningKey } = {},
  ): JsonObject {
    const unsigned = intentOf(actorId, {
      expiresAtHeight: this.height + 1_000,
      action,
      payload,
      ...this.onThisChain(members),
    });
    return signEnvelope(key, unsigned);
  }

  /** Makes an honest application; `members` replace or (if undefined) remove before signing. */
  application(
    actorId: string,
    role: string,
    members: Members = {},
    key: PublicKey & SigningKey = testKey(actorId),
  ): JsonObject {
    const unsigned = applicationOf(
      { actorId, key },
      {
        applicationId: `app-${actorId}`,
        role,
        capabilities: [{ action: 'transfer', maxAmount: 1_000 }],
        expiresAtHeight: this.height + 1_000,
        ...this.onThisChain(members),
      },
    );
    return signEnvelope(key, unsigned);
  }

  claim(
    actorId: string,
    invitationId: string,
    members: Members = {},
    key: PublicKey & SigningKey = testKey(actorId),
  ): JsonObject {
    const unsigned = claimOf({ actorId, key }, { invitationId, ...this.onThisChain(members) });
    return signEnvelope(key, unsigned);
  }

  private onThisChain(members: Members): Members & { nonce: string } {
    return { nonce: this.freshNonce(), chainId: this.chainId, ...members };
  }

  keyOf(actorId: string): SigningKey {
    const { operator } = this.running.node.dataDir;
    if (actorId !== operator.actorId) return testKey(actorId);
    return signingKeyOf(operator.privateKey);
  }

  /** Registers an agent, which must succeed. */
  async join(actorId: string, members: Members = {}): Promise<Receipt> {
    const answer = await this.post('/v1/agents/register', this.registration(actorId, members));
    assert.equal(answer.status, 201, answer.text);
    return answer.body['receipt'] as unknown as Receipt;
  }

  /** Commits an action, which must succeed. */
  async act(actorId: string, action: string, payload: JsonObject): Promise<Receipt> {
    const answer = await this.post('/v1/intents', this.intent(actorId, action, payload));
    assert.equal(answer.status, 201, answer.text);
    return answer.body['receipt'] as unknown as Receipt;
  }

  /** Returns height and state root, to show that nothing was written. */
  state(): { height: number; stateRoot: string } {
    const { height, stateRoot } = this.running.node.chain.head;
    return { height, stateRoot };
  }
}

/** Returns a text or number member as text. */
export function textOf(document: JsonObject, name: string): string {
  const value = document[name];
  assert.ok(typeof value === 'string' || typeof value === 'number', `${name} is ${typeof value}`);
  return String(value);
}

export interface Operation {
  requestBody?: unknown;
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; $ref?: string }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonObject }> }>;
}
/** Statuses that every operation may answer; described once as default. */
const BY_DEFAULT = ['400', '405', '408', '412', '429', '431', '500', '503'];

/** True if the description lists this status for the operation. */
export function describes({ responses }: Operation, status: string): boolean {
  // 304 is described once, for all reads.
  if (status === '304') return Object.hasOwn(responses, '200');
  const inDefault = BY_DEFAULT.includes(status) && Object.hasOwn(responses, 'default');
  return inDefault || Object.hasOwn(responses, status);
}

export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: JsonObject;
}

/** Finds the operation of a request; HEAD uses GET's. Null if no path matches. */
export function operationOf(
  { paths }: Description,
  method: string,
  path: string,
): Operation | null {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const patterns = Object.entries(paths)
    .filter(([template]) => {
      const pattern = template.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]*');
      return new RegExp(`^${pattern}$`).test(path);
    })
    // Literal segments win over parameters, longer paths over shorter ones, for any method.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length || b.length - a.length);
  return patterns[0]?.[1][name] ?? null;
}

/** Checks status, code and every member of a problem, and returns it. */
export function assertProblem(answer: Answer, status: number, code: ErrorCode): Problem {
  const problem = answer.body as unknown as Problem;
  assert.deepEqual([answer.status, problem.code], [status, code], answer.text.slice(0, 600));
  assertProblemShape(answer);
  return problem;
}

/** Checks that an answer is a complete RFC 9457 problem, with any code. */
export function assertProblemShape(answer: Answer): void {
  const problem = answer.body as unknown as Problem;
  assert.equal(answer.headers['content-type'], 'application/problem+json', answer.text);
  assert.ok(isErrorCode(problem.code), `an unknown code: ${problem.code}`);
  const { title, status } = ERROR_TABLE[problem.code];
  assert.equal(problem.status, answer.status);
  assert.equal(problem.status, status);
  assert.equal(problem.title, title);
  assert.equal(problem.type, `/docs/errors#${problem.code}`);
  assert.match(problem.requestId, /^[0-9a-f-]{36}$/);
  assert.ok(problem.detail.length > 0);
  for (const { path, message } of problem.errors ?? []) {
    assert.match(path, /^(\/.*)?$/s);
    assert.ok(message.length > 0);
  }
  const known = [
    'type',
    'title',
    'status',
    'detail',
    'code',
    'requestId',
    'errors',
    'receipt',
    'height',
  ];
  assert.deepEqual(
    Object.keys(problem).filter((name) => !known.includes(name)),
    [],
  );
}

/** Parses a raw answer: status line, headers, body. */
export function parseRawAnswer(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  return answerOf(status, headers, Buffer.from(rest.join('\r\n\r\n'), 'latin1'));
}

function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString();
  let body: JsonObject = {};
  try {
    body = JSON.parse(text) as JsonObject;
  } catch {
    // Not JSON: pages, metrics, compressed bodies.
  }
  return { status, headers, bytes, text, body };
}

function bytesOf(body: Body): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? body : Buffer.from(canonicalize(body));
}
