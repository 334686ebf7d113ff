/** Spans and metrics of agents, as the SDK of OpenTelemetry exports them. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test, type TestContext } from 'node:test';
import { context, ROOT_CONTEXT, SpanKind, type Context } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { UNET_PER_NET as NET } from '@netd/protocol';
import { z } from 'zod';
import { Agent } from './agent.ts';
import { defineService } from './service.ts';
import { once, stage } from './testing/staged.ts';
import type { Telemetry } from './telemetry.ts';

const staged = stage({ staffed: true });
const bounded = { timeout: 120_000 };

const spans = new InMemorySpanExporter();
const traces = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
});
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: metrics });
const meters = new MeterProvider({ readers: [reader] });
const tracer = traces.getTracer('test');
// The real types satisfy the SDK's interfaces without a cast.
const telemetry: Telemetry = { tracer, meter: meters.getMeter('test') };

/** Keeps the active span across promises, as the context manager of OpenTelemetry's package for Node does. */
const active = new AsyncLocalStorage<Context>();
const manager = {
  active: () => active.getStore() ?? ROOT_CONTEXT,
  with: <Given extends unknown[], Call extends (...given: Given) => ReturnType<Call>>(
    within: Context,
    call: Call,
    self?: ThisParameterType<Call>,
    ...given: Given
  ) => active.run(within, () => call.apply(self, given)),
  bind: <Target>(_within: Context, target: Target) => target,
  enable: () => manager,
  disable: () => manager,
};
context.setGlobalContextManager(manager);

/** Returns the points of a metric with their attributes; a histogram counts. */
async function measured(name: string): Promise<[object, number][]> {
  metrics.reset();
  await meters.forceFlush();
  const all = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
  const found = all.flatMap((scope) => scope.metrics).find((one) => one.descriptor.name === name);
  if (found?.dataPointType === DataPointType.SUM)
    return found.dataPoints.map(({ attributes, value }) => [attributes, value]);
  if (found?.dataPointType === DataPointType.HISTOGRAM)
    return found.dataPoints.map(({ attributes, value }) => [attributes, value.count]);
  return [];
}

/** Opens an agent with telemetry for one test. */
async function open(t: TestContext, id: string): Promise<Agent> {
  const agent = await Agent.open(id, staged.world.options({ telemetry, memory: false }));
  t.after(() => agent.stop());
  return agent;
}

/** Returns the finished spans of an order. */
const spansOf = (name: string, orderId: string) =>
  spans
    .getFinishedSpans()
    .filter((span) => span.name === name && span.attributes['netsdk.order.id'] === orderId);

test(
  'a job, its order and the wait for it are spans, and its money is counted',
  bounded,
  async (t) => {
    const requester = await open(t, 'tess');
    const worker = await open(t, 'tim');
    await requester.act('faucet', { amount: 20 * NET });
    worker.onWork({ minFunding: '5 NET' }, () =>
      tracer.startActiveSpan('inner', (span) => (span.end(), '"done"')),
    );
    void worker.run();
    const terms = { title: 't', instructions: 'i', jobType: 'research', funding: '5 NET' } as const;
    const acceptance = [{ kind: 'json-schema', schema: { type: 'string' } }] as const;
    const paid = once(worker, 'paid');
    const id = 'traced-1';
    const hired = await requester.hire({ ...terms, acceptance, id, worker: 'tim' });
    await hired.result();
    await hired.accept();
    await paid;
    await worker.stop();
    await traces.forceFlush();

    const [hire] = spansOf('netsdk.hire', id);
    assert.deepEqual(hire?.attributes, { 'netsdk.order.id': id, 'netsdk.skill': 'research' });
    assert.equal(hire.kind, SpanKind.PRODUCER);
    assert.equal(spansOf('netsdk.result', id).length, 1);
    const [job, ...others] = spansOf('netsdk.job', id);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [job?.kind, job?.attributes['netsdk.skill'], job?.attributes['netsdk.outcome']],
      [SpanKind.CONSUMER, 'research', 'paid'],
    );
    const inner = spans.getFinishedSpans().find(({ name }) => name === 'inner');
    assert.equal(inner?.parentSpanContext?.spanId, job?.spanContext().spanId);
    const skill = { 'netsdk.skill': 'research' };
    assert.deepEqual(await measured('netsdk.jobs'), [[{ 'netsdk.outcome': 'paid', ...skill }, 1]]);
    assert.deepEqual(await measured('netsdk.earned'), [[skill, 5 * NET]]);
    assert.deepEqual(await measured('netsdk.spent'), [[skill, 5 * NET]]);
    assert.deepEqual(await measured('netsdk.wait.duration'), [[{ 'netsdk.outcome': 'result' }, 1]]);
  },
);

test(
  'the span of a call is the parent of the spans of its order and its result',
  bounded,
  async (t) => {
    const buyer = await open(t, 'tara');
    const worker = await open(t, 'teo');
    await buyer.act('faucet', { amount: 20 * NET });
    const text = z.object({ text: z.string() });
    const echo = defineService({ name: 'tt-echo', input: text, output: text, price: '5 NET' });
    worker.serve({ ...echo, handler: async ({ data }) => data });
    void worker.run();
    const id = 'traced-3';
    assert.deepEqual(await buyer.call(echo, { text: 'hi' }, { id, worker: 'teo' }), { text: 'hi' });
    await worker.stop();
    await traces.forceFlush();
    const [call, ...others] = spansOf('netsdk.call', id);
    assert.equal(others.length, 0);
    assert.deepEqual(call?.attributes, { 'netsdk.order.id': id, 'netsdk.skill': 'tt-echo' });
    assert.equal(call.kind, SpanKind.CLIENT);
    for (const name of ['netsdk.hire', 'netsdk.result']) {
      const [part] = spansOf(name, id);
      assert.equal(part?.parentSpanContext?.spanId, call.spanContext().spanId, name);
    }
    // The stop of the worker has interrupted the job before its dispute window ended.
    const [job] = spansOf('netsdk.job', id);
    assert.deepEqual([job?.attributes['netsdk.outcome'], job?.status.code], ['interrupted', 0]);
    await assert.rejects(buyer.call(echo, { text: 'late' }, { id: 'traced-4', timeout: 1 }), {
      code: 'CALL_TIMEOUT',
    });
    await traces.forceFlush();
    for (const name of ['netsdk.call', 'netsdk.hire']) {
      const [late] = spansOf(name, 'traced-4');
      assert.equal(late?.attributes['error.type'], 'CALL_TIMEOUT', name);
    }
  },
);

test('a job that fails, a wait that ends late and a refused order say so', bounded, async (t) => {
  const requester = await open(t, 'tova');
  const worker = await open(t, 'tobi');
  const acceptance = [{ kind: 'json-schema', schema: { type: 'string' } }] as const;
  const terms = { title: 't', instructions: 'i', funding: '5 NET', acceptance } as const;
  const id = 'traced-2';
  await assert.rejects(requester.hire({ ...terms, id }), { code: 'INSUFFICIENT_BALANCE' });
  await traces.forceFlush();
  const [refused] = spansOf('netsdk.hire', id);
  assert.deepEqual(
    [refused?.status.code, refused?.attributes['error.type']],
    [2, 'INSUFFICIENT_BALANCE'],
  );
  await requester.act('faucet', { amount: 20 * NET });
  worker.onWork({ minFunding: '5 NET', retry: { attempts: 1 } }, () => {
    throw new Error('broken');
  });
  const rejected = once(worker, 'rejected');
  void worker.run();
  const hired = await requester.hire({ ...terms, id, worker: 'tobi' });
  await rejected;
  await assert.rejects(hired.result({ timeout: 1 }), { code: 'RESULT_TIMEOUT' });
  await worker.stop();
  await traces.forceFlush();
  const [job] = spansOf('netsdk.job', id);
  assert.deepEqual([job?.attributes['netsdk.outcome'], job?.status.code], ['failed', 2]);
  const late = { 'netsdk.outcome': 'RESULT_TIMEOUT' };
  const waits = await measured('netsdk.wait.duration');
  assert.deepEqual(waits.at(-1), [late, 1]);
});

test('a tracer that is none is refused before the agent is opened', bounded, async () => {
  const wrong = { tracer: {} } as unknown as Telemetry;
  await assert.rejects(Agent.open('none', staged.world.options({ telemetry: wrong })), {
    code: 'ARGUMENT_INVALID',
  });
});
