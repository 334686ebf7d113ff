/** What an operator's monitoring reads at /metrics. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export class Metrics {
  readonly registry = new Registry();
  readonly height: Gauge;
  readonly blocks: Counter;
  readonly transitions: Counter;
  readonly refusals: Counter<'code'>;
  readonly writeFailures: Counter;
  readonly waiting: Gauge;
  readonly streams: Gauge;
  readonly verifiedHeight: Gauge;
  readonly cachedDocuments: Gauge<'cache'>;
  readonly cachedBytes: Gauge<'cache'>;
  readonly commitSeconds: Histogram;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.height = new Gauge({ name: 'netd_height', help: 'Last committed height.', registers });
    this.blocks = new Counter({
      name: 'netd_blocks_total',
      help: 'Blocks committed since the start.',
      registers,
    });
    this.transitions = new Counter({
      name: 'netd_transitions_total',
      help: 'Transitions committed since the start.',
      registers,
    });
    this.refusals = new Counter({
      name: 'netd_refusals_total',
      help: 'Refused requests by code.',
      labelNames: ['code'],
      registers,
    });
    this.writeFailures = new Counter({
      name: 'netd_block_failures_total',
      help: 'Blocks that could not be built or written.',
      registers,
    });
    this.waiting = new Gauge({
      name: 'netd_waiting_envelopes',
      help: 'Envelopes waiting for verification or a block.',
      registers,
    });
    this.streams = new Gauge({
      name: 'netd_event_streams',
      help: 'Open event streams.',
      registers,
    });
    this.verifiedHeight = new Gauge({
      name: 'netd_verified_height',
      help: 'Height up to which the background verifier has found the chain good.',
      registers,
    });
    this.cachedDocuments = new Gauge({
      name: 'netd_cached_documents',
      help: 'Documents kept: of the latest height, and lasting ones.',
      labelNames: ['cache'],
      registers,
    });
    this.cachedBytes = new Gauge({
      name: 'netd_cached_bytes',
      help: 'Bytes of the documents kept, in all their encodings.',
      labelNames: ['cache'],
      registers,
    });
    this.commitSeconds = new Histogram({
      name: 'netd_submit_seconds',
      help: 'Seconds from the arrival of an envelope to its answer.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
  }
}
