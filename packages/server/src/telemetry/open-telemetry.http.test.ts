/**
 * Spans as an OpenTelemetry collector receives them. A missing or hanging collector does not affect the node.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { until } from '@netd/protocol/testing';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { traceSettings } from './trace-settings.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
}
interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}
interface Batch {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
}

/** Implements as much of OTLP over HTTP as spans need. */
class Collector {
  /** Answers a batch that arrived. */
  answer: (response: ServerResponse) => void = (response) => response.end('{}');
  readonly texts: string[] = [];
  readonly asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.asked.push({ url: request.url ?? '', headers: request.headers });
        this.texts.push(Buffer.concat(parts).toString());
        this.answer(response);
      });
    });
  }

  static async start(): Promise<Collector> {
    const collector = new Collector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get batches(): Batch[] {
    return this.texts.map((text) => JSON.parse(text) as Batch);
  }

  get spans(): Span[] {
    return this.batches.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

const valueOf = (span: Span, key: string): string | number | undefined => {
  const value = span.attributes.find((attribute) => attribute.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

interface Traced {
  node: HttpNode;
  /** The log's warnings about traces. */
  told: string[];
}

async function tracedNode(url: string, more: Record<string, string> = {}): Promise<Traced> {
  const told: string[] = [];
  const write = (line: string): void => {
    const { msg, reason } = JSON.parse(line) as { msg: string; reason?: string };
    if (msg.startsWith('traces')) told.push(reason === undefined ? msg : `${msg} (${reason})`);
  };
  const logger = pino({ level: 'warn' }, { write });
  const traces = traceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more });
  assert.ok(traces);
  return { node: await HttpNode.start({ logger, traces }), told };
}

/** Starts a node and the collector for its spans. */
async function pair(
  t: TestContext,
  more: Record<string, string>,
): Promise<Traced & { collector: Collector }> {
  const collector = await Collector.start();
  const traced = await tracedNode(collector.url, more);
  t.after(async () => {
    await traced.node.stop();
    await collector.close();
  });
  return { ...traced, collector };
}

test('a write is a trace: request, check, block and receipt, in that of the client', async (t) => {
  const { node, collector, told } = await pair(t, {
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_SERVICE_NAME: 'a-devnet',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parent = '00f067aa0ba902b7';
  const written = await node.post('/v1/agents/register', node.registration('alice'), {
    traceparent: `00-${traceId}-${parent}-01`,
    tracestate: 'vendor=what-a-client-says',
  });
  assert.equal(written.status, 201, written.text);
  const refused = await node.post('/v1/agents/register', node.registration('bob', { nonce: '' }));
  assertProblem(refused, 400, 'ENVELOPE_INVALID');
  assert.equal((await node.get('/nothing/is/here?of=alice')).status, 404);
  const count = 4 + 2 + 1;
  await until(() => collector.spans.length >= count);
  assert.deepEqual(told, []);

  const of = (id: string): Span[] => collector.spans.filter((span) => span.traceId === id);
  const spans = of(traceId).toSorted((a, b) =>
    BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1,
  );
  const request = spans.find(({ parentSpanId }) => parentSpanId === parent) ?? assert.fail();
  assert.equal(request.name, 'POST /v1/agents/register');
  assert.equal(valueOf(request, 'http.response.status_code'), 201);
  assert.equal(valueOf(request, 'netd.request_id'), written.headers['x-request-id']);
  const steps = spans.filter((span) => span !== request);
  const names = steps.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ['envelope block', 'envelope check', 'envelope receipt']);
  for (const step of steps) {
    assert.equal(step.parentSpanId, request.spanId);
    assert.ok(BigInt(step.endTimeUnixNano) >= BigInt(step.startTimeUnixNano));
  }
  const block = steps.find(({ name }) => name === 'envelope block') ?? assert.fail();
  assert.equal(valueOf(block, 'netd.block.height'), node.height);
  const { receipt } = written.body as { receipt: { transitionHash: string } };
  assert.equal(valueOf(block, 'netd.transition.hash'), receipt.transitionHash);

  const check = collector.spans.find((span) => valueOf(span, 'netd.refusal') !== undefined);
  assert.equal(check?.name, 'envelope check');
  assert.equal(valueOf(check, 'netd.refusal'), 'ENVELOPE_INVALID');
  assert.deepEqual(
    of(check.traceId).map(({ name }) => name),
    ['envelope check', 'POST /v1/agents/register'],
  );
  const missing = collector.spans.find(
    (span) => valueOf(span, 'http.response.status_code') === 404,
  );
  assert.equal(missing?.name, 'GET');

  const { url, headers } = collector.asked[0] ?? assert.fail();
  assert.equal(url, '/v1/traces');
  assert.equal(headers.authorization, 'Bearer of-the-collector');
  const [resource] = collector.batches[0]?.resourceSpans ?? [];
  const about = new Map(
    resource?.resource.attributes.map(({ key, value }) => [key, value.stringValue]),
  );
  assert.equal(about.get('service.name'), 'a-devnet');
  assert.equal(about.get('netd.chain_id'), node.chainId);
  assert.equal(about.get('deployment.environment.name'), 'test');
  // Nothing sent contains a name, key, address, unknown path, or any text of a client.
  const all = collector.texts.join('\n');
  const { publicKey, signature } = node.registration('alice') as Record<string, string>;
  for (const secret of [
    'alice',
    '127.0.0.1',
    'nothing/is',
    'what-a-client',
    publicKey,
    signature,
  ]) {
    assert.ok(secret !== undefined && !all.includes(secret), secret);
  }
});

test('a collector that hangs or refuses delays no answer, and is logged once', async (t) => {
  const { node, collector, told } = await pair(t, {
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  });
  const held: ServerResponse[] = [];
  collector.answer = (response) => void held.push(response);
  await node.join('alice');
  await until(() => held.length > 0);
  // While the collector holds a batch, the node answers requests.
  assert.equal((await node.get('/v1/network')).status, 200);
  const lost = `traces are lost: ${collector.url} does not take them`;
  const all = (): string[] => told.map((text) => text.replace(/ \(.*/, ''));
  await until(() => told.length > 0);
  assert.deepEqual(all(), [lost]);
  collector.answer = (response) => void response.writeHead(503).end();
  const before = collector.texts.length;
  await until(async () => {
    await node.get('/v1/network');
    return collector.texts.length >= before + 3;
  });
  assert.deepEqual(all(), [lost]);
  collector.answer = (response) => response.end('{}');
  await until(async () => {
    await node.get('/v1/network');
    return told.length > 1;
  });
  // A busy machine may have lost another batch meanwhile.
  assert.equal(told[1], `traces are taken again by ${collector.url}`);
});

test('a node whose collector is not there answers, and stops in order', async () => {
  const gone = await Collector.start();
  const { url } = gone;
  await gone.close();
  const { node, told } = await tracedNode(url, { OTEL_BSP_SCHEDULE_DELAY: '1' });
  await node.join('alice');
  await until(() => told.length > 0);
  await node.stop();
  assert.deepEqual(told, [`traces are lost: ${url} does not take them (ECONNREFUSED)`]);
});
