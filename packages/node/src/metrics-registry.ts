/** The figures of a node for Prometheus. Loaded, with its library, by the first scrape: many nodes never see one. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DURATION_BOUNDS, type DurationHistogram } from './duration-histogram.ts';
import type { HttpContext } from './http/context.ts';

/** Figures are read when they are asked for. Those of the process itself (garbage, event loop) begin with this call. */
export function metricsRegistry(context: HttpContext): Registry {
  const { node } = context;
  const { metrics } = node;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const all = [
    gauge('netd_height', 'Last committed height.', () => metrics.height),
    counter('netd_blocks_total', 'Blocks committed since the start.', () => metrics.blocks),
    counter(
      'netd_transitions_total',
      'Transitions committed since the start.',
      () => metrics.transitions,
    ),
    new Counter<string>({
      name: 'netd_refusals_total',
      help: 'Refused requests by code.',
      labelNames: ['code'],
      registers: [],
      collect() {
        this.reset();
        for (const [code, count] of metrics.refusals) this.inc({ code }, count);
      },
    }),
    new Durations(
      'netd_submit_seconds',
      'From the arrival of an envelope to its answer.',
      metrics.submits,
    ),
    counter(
      'netd_block_failures_total',
      'Blocks that could not be built or written.',
      () => metrics.writeFailures,
    ),
    counter(
      'netd_checkpoint_faults_total',
      'Checkpoints that were found damaged on disk, removed and made anew.',
      () => metrics.checkpointFaults,
    ),
    gauge(
      'netd_clock_fault',
      '1 while the clock of the machine is not believed, so that no blocks are made.',
      () => metrics.clockFault,
    ),
    gauge(
      'netd_waiting_envelopes',
      'Envelopes waiting for verification or a block.',
      () => node.mempool.reservedCount,
    ),
    gauge(
      'netd_waiting_reads',
      'Large reads waiting for a reader thread, or at one.',
      () => context.waitingReads,
    ),
    gauge('netd_event_streams', 'Open event streams.', () => node.events.size),
    counter(
      'netd_slow_readers_closed_total',
      'Connections closed because their answers were not taken.',
      () => metrics.slowReaders,
    ),
    gauge(
      'netd_verified_height',
      'Height up to which the background verifier has found the chain good.',
      () => node.backgroundVerifier.current().verifiedHeight,
    ),
    ofCaches(
      'netd_cached_documents',
      'Documents kept: of the latest height, and lasting ones.',
      context,
      'documents',
    ),
    ofCaches(
      'netd_cached_bytes',
      'Bytes of the documents kept, in all their encodings.',
      context,
      'bytes',
    ),
  ];
  for (const metric of all) registry.registerMetric(metric);
  return registry;
}

function gauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

function counter(name: string, help: string, read: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Histograms that were kept without the library, before it was loaded. */
class Durations extends Histogram<'outcome' | 'le'> {
  private readonly about: { name: string; help: string };
  private readonly kept: Readonly<Record<string, DurationHistogram>>;

  constructor(name: string, help: string, kept: Readonly<Record<string, DurationHistogram>>) {
    super({ name, help, labelNames: ['outcome'], registers: [] });
    this.about = { name, help };
    this.kept = kept;
  }

  /** What the registry writes down; the types of the package leave it out. */
  getForPromString(): ReturnType<Durations['get']> {
    return this.get();
  }

  override get(): ReturnType<Histogram<'outcome' | 'le'>['get']> {
    const { name, help } = this.about;
    const values = Object.entries(this.kept).flatMap(([outcome, { counts, count, sum }]) => [
      ...DURATION_BOUNDS.map((le, index) => ({
        labels: { outcome, le },
        value: counts[index] ?? 0,
        metricName: `${name}_bucket`,
      })),
      { labels: { outcome, le: '+Inf' }, value: count, metricName: `${name}_bucket` },
      { labels: { outcome }, value: sum, metricName: `${name}_sum` },
      { labels: { outcome }, value: count, metricName: `${name}_count` },
    ]);
    return Promise.resolve({ name, help, type: 'histogram', values, aggregator: 'sum' } as never);
  }
}

function ofCaches(
  name: string,
  help: string,
  context: HttpContext,
  figure: 'documents' | 'bytes',
): Gauge {
  return new Gauge<string>({
    name,
    help,
    labelNames: ['cache'],
    registers: [],
    collect() {
      for (const [cache, figures] of Object.entries(context.cacheFigures())) {
        this.set({ cache }, figures[figure]);
      }
    },
  });
}
