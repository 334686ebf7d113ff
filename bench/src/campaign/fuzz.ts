/**
 * Malformed HTTP requests to a node process. Every answer must be a document or a complete problem, refused
 * envelopes must be absent, the process must survive, and its chain must verify. Seed and number determine a batch.
 */
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Store } from '@netd/engine';
import { Random } from '@netd/testkit/simulation';
import { verifyDatabase } from '@netd/node/verify';
import { canonicalize, encodeEnvelope, isErrorCode, type JsonObject } from '@netd/protocol';
import { makeAgents, beaconPayload, signedIntent, type BenchAgent } from '../agents.ts';
import { increment, type Counts } from '../counts.ts';
import { startNetd } from '../netd-process.ts';
import { StateBuilder } from '../states.ts';
import type { CampaignPart } from './campaign-part.ts';

const BATCH = 1_000;
const CONNECTIONS = 32;
const AGENTS = 16;
const ANSWER_MILLISECONDS = 30_000;
const MAX_FAULTS = 20;

interface Attempt {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** The envelope's hash, if it is one: absent from the chain if refused. */
  transitionHash: string | null;
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

export const fuzz: CampaignPart = {
  unit: 'requests',
  few: 20_000,
  async run({ seed, from, count, until, directory, say }) {
    const agents = makeAgents(AGENTS);
    const height = await StateBuilder.build(directory, (state) => state.register(agents));
    const netd = await startNetd(directory);
    const connections = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const statuses: Counts = {};
    const faults: string[] = [];
    const refused: string[] = [];
    const accepted = new Set<string>();
    let done = 0;
    const one = async (random: Random, batch: number): Promise<void> => {
      const attempt = attemptOf(random, agents, height);
      const answer = await ask(netd.port, connections, attempt);
      increment(statuses, String(answer.status));
      const wrong = validateAnswer(attempt, answer);
      if (wrong !== null) {
        faults.push(`batch ${batch}, ${attempt.method} ${attempt.path.slice(0, 200)}: ${wrong}`);
        say(faults.at(-1) ?? '');
      }
      const { transitionHash } = attempt;
      if (transitionHash === null) return;
      if (answer.status === 201 || answer.body.includes('"receipt"')) accepted.add(transitionHash);
      else if (answer.status >= 400 && answer.status < 500) refused.push(transitionHash);
    };
    try {
      for (let batch = from; done < count && Date.now() < until; batch++) {
        const random = new Random(seed + batch * 7_919);
        const size = Math.min(BATCH, count - done);
        let next = 0;
        const worker = async (): Promise<void> => {
          while (next++ < size) await one(random, batch);
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, worker));
        done += size;
        if (faults.length >= MAX_FAULTS) break;
        if ((batch + 1) % 50 === 0) say(`${done} requests, next batch is ${batch + 1}`);
      }
    } catch (error) {
      faults.push(`the node is gone: ${String(error)}`);
    }
    connections.destroy();
    await netd.kill('SIGTERM');
    const database = join(directory, 'chain');
    const { ok, fault } = await verifyDatabase(database, {});
    if (!ok) faults.push(`the chain does not verify: ${fault?.reason}`);
    const store = Store.open(database, { readOnly: true });
    const there = refused.filter((hash) => store.hasTransition(hash) && !accepted.has(hash));
    const lost = [...accepted].filter((hash) => !store.hasTransition(hash));
    await store.close();
    if (there.length > 0) faults.push(`${there.length} refused are there, as ${there[0]}`);
    if (lost.length > 0) faults.push(`${lost.length} acknowledged are missing, as ${lost[0]}`);
    const shown = Object.entries(statuses)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([status, times]) => `${status} ${times}`)
      .join(', ');
    const line = `${done} requests: ${shown}; ${accepted.size} committed, ${refused.length} envelopes refused`;
    return { faults, done, line };
  },
};

/** Returns the fault of an answer, or null. */
function validateAnswer({ method }: Attempt, { status, type, body }: Answer): string | null {
  if (status >= 500 && status !== 503) return `${status} ${body.slice(0, 200)}`;
  if (status < 200) return `${status}`;
  if (status < 400 || method === 'HEAD') return null;
  if (!type.startsWith('application/problem+json')) {
    return type.includes('json') || type.startsWith('text/html')
      ? null
      : `${status} of type ${type}`;
  }
  const { code, status: told } = JSON.parse(body) as { code: string; status: number };
  return isErrorCode(code) && told === status ? null : `${status} with ${body.slice(0, 200)}`;
}

function ask(port: number, agent: Agent, attempt: Attempt): Promise<Answer> {
  const { method, path, headers, body } = attempt;
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {};
    const outgoing = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          resolve({
            status: incoming.statusCode ?? 0,
            type: incoming.headers['content-type'] ?? '',
            body: Buffer.concat(parts).toString(),
          });
        });
      },
    );
    outgoing.setTimeout(ANSWER_MILLISECONDS, () =>
      outgoing.destroy(new Error('no answer in time')),
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The node closed the reused connection before reading the request.
      if (error.code === 'ECONNRESET' && outgoing.reusedSocket) {
        resolve(ask(port, agent, attempt));
      } else reject(error);
    });
    outgoing.end(body);
  });
}

const READS = [
  '/health',
  '/v1/agents',
  '/v1/blocks',
  '/v1/events',
  '/v1/discovery',
  '/v1/agent-directory',
  '/v1/agent-messages',
  '/v1/referrals',
  '/v1/work-orders',
  '/v1/state/proof',
  '/v1/state/chunks/0',
  '/v1/accounts/agent-1',
  '/v1/agents/agent-1',
  '/v1/agents/agent-1/decision-dossier',
  '/v1/agent-lineage/agent-1',
  '/v1/tokens',
  '/v1/tokenomics',
  '/v1/mainnet/readiness',
  '/v1/nodes',
  '/a2a/v1/tasks',
  '/.well-known/mcp.json',
];
const PARAMETERS = [
  'limit',
  'cursor',
  'after',
  'agent',
  'agentId',
  'type',
  'order',
  'status',
  'key',
  'checkpoint',
  'capability',
  'referrer',
  '__proto__',
];
const WORDS = [
  '0',
  '-1',
  '1e3',
  '9007199254740993',
  '..',
  '%00',
  '%2f',
  '%',
  '__proto__',
  'constructor',
  'agent-1',
  'OPEN',
  'PENDING',
  'agent/agent-1',
  'ab'.repeat(32),
  'x'.repeat(300),
  '',
  '%F0%9F%A6%8A',
];
const WRITES = ['/v1/intents', '/v1/intents:simulate', '/v1/agents/register', '/v1/work-orders'];
const HEADERS: readonly Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { 'if-match': '"x"' },
  { 'if-none-match': '*' },
  { 'accept-encoding': 'br, gzip;q=0' },
  { 'a2a-version': '9.9' },
  { 'mcp-protocol-version': '2026-07-28' },
  { origin: 'https://evil.example' },
  { 'x-forwarded-for': '1.2.3.4' },
  { expect: 'miracles' },
];

function attemptOf(random: Random, agents: BenchAgent[], height: number): Attempt {
  const headers = { ...random.pick(HEADERS) };
  switch (random.below(5)) {
    case 0:
    case 1: {
      const query = Array.from(
        { length: random.below(4) },
        () => `${random.pick(PARAMETERS)}=${random.pick(WORDS)}`,
      ).join('&');
      const own = Array.from({ length: random.below(5) }, () => random.pick(WORDS)).join('/');
      const path = random.chance(0.7) ? random.pick(READS) : `/${own}`;
      const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);
      return { method, path: `${path}?${query}`, headers, transitionHash: null };
    }
    case 2: {
      const path = random.pick([...WRITES, '/a2a/v1/message:send', '/mcp']);
      const bytes = Array.from({ length: random.below(300) }, () => random.below(256));
      return post(path, Buffer.from(bytes), headers);
    }
    default:
      return envelope(random, agents, height, headers);
  }
}

function post(
  path: string,
  body: Buffer,
  headers: Record<string, string>,
  transitionHash: string | null = null,
): Attempt {
  const about = { ...headers, 'content-type': 'application/json' };
  return { method: 'POST', path, headers: about, body, transitionHash };
}

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  '__proto__',
  'x'.repeat(3_000),
  '🦊'.repeat(400),
  [],
  {},
  [[[[]]]],
  { constructor: 1 },
  'agent-2',
  'operator',
];

/** Returns a beacon or transfer with at most one change, before or after signing. */
function envelope(
  random: Random,
  agents: BenchAgent[],
  height: number,
  headers: Record<string, string>,
): Attempt {
  const agent = random.pick(agents);
  const draft = {
    nonce: `n-${random.below(1_000_000)}`,
    ...(random.chance(0.5)
      ? { action: 'publishBeacon', payload: beaconPayload(agent, height) }
      : { action: 'transfer', payload: { to: 'agent-1', amount: 1 } }),
  };
  const whole = random.chance(0.15);
  let made: JsonObject;
  if (whole || random.chance(0.5)) made = signedIntent(agent, draft, height);
  else {
    const payload = changed(draft.payload, random);
    // Values without canonical form cannot be signed.
    made = canSign(payload) ? signedIntent(agent, { ...draft, payload }, height) : payload;
  }
  if (!whole && random.chance(0.5)) made = changed(made, random);
  const text = JSON.stringify(made);
  const bytes = Buffer.from(random.chance(0.1) ? text.slice(0, random.below(text.length)) : text);
  delete headers['if-match'];
  return post(random.pick(WRITES.slice(0, 3)), bytes, headers, hashOf(text, bytes));
}

function changed(object: JsonObject, random: Random): JsonObject {
  const copy = structuredClone(object);
  const places: [JsonObject, string][] = [];
  const visit = (at: JsonObject): void => {
    for (const [key, inner] of Object.entries(at)) {
      places.push([at, key]);
      if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) visit(inner);
    }
  };
  visit(copy);
  const [at, key] = places.length === 0 ? [copy, 'nonce'] : random.pick(places);
  if (random.chance(0.3)) delete at[key];
  else if (random.chance(0.2)) at[`${key}x`] = random.pick(VALUES) as never;
  else at[key] = random.pick(VALUES) as never;
  return copy;
}

function canSign(value: JsonObject): boolean {
  try {
    canonicalize(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns its hash in the chain; null if it can never be there. */
function hashOf(text: string, bytes: Buffer): string | null {
  if (bytes.length !== Buffer.byteLength(text)) return null;
  try {
    return encodeEnvelope(JSON.parse(text) as JsonObject).transitionHash;
  } catch {
    return null;
  }
}
