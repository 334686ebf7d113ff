/** Loaded by the first scrape, because many nodes have none. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  HEALTH_ISSUE_KINDS,
  HEALTH_ISSUES,
  type ValidatorFigures,
  type ValidatorVotes,
} from '@netd/engine';
import { NEWEST_RULES, type Collections } from '@netd/ledger';
import { DURATION_BOUNDS, type DurationHistogram } from './duration-histogram.ts';
import { timestampToMs } from '@netd/protocol';
import { VERSION } from '@netd/protocol/version';
import type { CacheFigures } from './http/document-cache.ts';
import type { ServedNode } from './http/served-node.ts';

export interface MetricsSource {
  node: ServedNode;
  waitingReads: number;
  cacheFigures: () => { latest: CacheFigures; lasting: CacheFigures };
}

/** Reads values at each scrape. The process's default metrics are collected from this call on. */
export function metricsRegistry(source: MetricsSource): Registry {
  const { node } = source;
  const { metrics } = node;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const all = [
    gauge('netd_height', 'Last committed height.', () => metrics.height),
    gauge(
      'netd_last_block_timestamp_seconds',
      'When the newest block was made, as it says itself: time() less this is its age.',
      () => timestampToMs(node.chain.head.timestamp) / 1_000,
    ),
    gauge(
      'netd_history_from_height',
      'Height from which on all blocks are here: above 0 while a follower that began at a checkpoint fetches those before.',
      () => node.store.history().from,
    ),
    new Gauge<string>({
      name: 'netd_health_issue',
      help: `1 where /health says so. ${HEALTH_ISSUE_KINDS.map((kind) => `${kind}: ${HEALTH_ISSUES[kind].what}`).join('; ')}.`,
      labelNames: ['kind'],
      registers: [],
      collect() {
        const kinds = new Set(node.issues().map(({ kind }) => kind));
        for (const kind of HEALTH_ISSUE_KINDS) this.set({ kind }, Number(kinds.has(kind)));
      },
    }),
    gauge(
      'netd_scheduled_rules_blocks',
      'Blocks before the first one of the scheduled version of the rules. No value if none is scheduled.',
      () => {
        const schedule = node.store.get('rules-schedule/next') as
          Collections['rules-schedule'] | undefined;
        return schedule ? Math.max(0, schedule.height - 1 - node.chain.height) : null;
      },
    ),
    ...(node.status.following === null ? [] : gaugesOfFollowing(node)),
    ...(node.engineBlocks === null ? [] : gaugesOfValidators(node)),
    ...gaugesOfDisk(node),
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
      () => Number(node.status.clockFault !== null),
    ),
    gauge(
      'netd_waiting_envelopes',
      'Envelopes waiting for verification or a block.',
      () => node.mempool.reservedCount,
    ),
    gauge(
      'netd_waiting_reads',
      'Large reads waiting for a reader thread, or at one.',
      () => source.waitingReads,
    ),
    gauge('netd_event_streams', 'Open event streams.', () => node.events.size),
    counter(
      'netd_slow_readers_closed_total',
      'Connections closed because their answers were not taken.',
      () => metrics.slowReaders,
    ),
    counter(
      'netd_refused_connections_total',
      'Connections closed at once because the files that this process may open allow no more.',
      () => metrics.refusedConnections,
    ),
    gauge(
      'netd_verified_height',
      'Height up to which the background verifier has found the chain good.',
      () => node.backgroundVerifier.current().verifiedHeight,
    ),
    ofCaches(
      'netd_cached_documents',
      'Documents kept: of the latest height, and lasting ones.',
      source,
      'documents',
    ),
    ofCaches(
      'netd_cached_bytes',
      'Bytes of the documents kept, in all their encodings.',
      source,
      'bytes',
    ),
  ];
  for (const metric of all) registry.registerMetric(metric);
  return registry;
}

function gauge(name: string, help: string, read: () => number | null): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      const value = read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

function gaugesOfFollowing(node: ServedNode): Gauge[] {
  return [
    gauge(
      'netd_behind_blocks',
      'Blocks that the furthest reliable origin has, or had when one answered last, and this follower has not.',
      () => {
        const { lastHeard = null } = node.status.following ?? {};
        return lastHeard === null ? null : Math.max(0, lastHeard - node.chain.height);
      },
    ),
    new Gauge<string>({
      name: 'netd_origins',
      help: 'Origins of this follower: asked, backoff after a failure, or not believed any more.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const states = node.status.following?.origins ?? { active: 0, backoff: 0, banned: 0 };
        for (const [state, count] of Object.entries(states)) this.set({ state }, count);
      },
    }),
    gauge(
      'netd_halted',
      '1 if the validators have certified two histories, and this follower has stopped.',
      () => Number(node.status.halted),
    ),
  ];
}

function gaugesOfValidators(node: ServedNode): Gauge[] {
  const figures = (): ValidatorFigures | null => node.status.validators;
  const byValidator = (
    name: string,
    help: string,
    read: (votes: ValidatorVotes) => number,
  ): Gauge =>
    new Gauge<string>({
      name,
      help,
      labelNames: ['validator'],
      registers: [],
      collect() {
        this.reset();
        for (const votes of figures()?.validators ?? []) {
          this.set({ validator: votes.validatorId }, read(votes));
        }
      },
    });
  return [
    gauge(
      'netd_engine_height',
      'Newest height that CometBFT decided.',
      () => figures()?.engineHeight ?? null,
    ),
    gauge(
      'netd_quorum_margin',
      'How many more validators can stop while blocks are still decided.',
      () => figures()?.quorumMargin ?? null,
    ),
    gauge(
      'netd_validator_window_heights',
      'Decided heights that the figures of validators cover.',
      () => figures()?.window ?? null,
    ),
    byValidator(
      'netd_validator_voting_power',
      'Voting power by validator.',
      ({ votingPower }) => votingPower,
    ),
    byValidator(
      'netd_validator_signed_heights',
      'Heights of the window that the validator voted for.',
      ({ signed }) => signed,
    ),
    byValidator(
      'netd_validator_missed_heights',
      'Heights of the window without a vote of the validator.',
      ({ missed }) => missed,
    ),
    byValidator(
      'netd_validator_proposed_heights',
      'Heights of the window that the validator proposed.',
      ({ proposed }) => proposed,
    ),
    byValidator('netd_validator_down', '1 if the validator has stopped voting.', ({ isDown }) =>
      Number(isDown),
    ),
  ];
}

function gaugesOfDisk(node: ServedNode): Gauge[] {
  return [
    gauge(
      'netd_disk_free_bytes',
      'Free bytes on the disk of the database.',
      () => node.store.space().free,
    ),
    gauge('netd_database_bytes', 'Size of the database file.', () => node.store.space().used),
    ageOf(node, 'backup', 'netd_last_backup_timestamp_seconds'),
    ageOf(node, 'verify', 'netd_last_verify_timestamp_seconds'),
    new Gauge<string>({
      name: 'netd_build_info',
      help: '1. The labels name the release, and the newest rules that it knows.',
      labelNames: ['version', 'rules'],
      registers: [],
      collect() {
        this.set({ version: VERSION, rules: String(NEWEST_RULES) }, 1);
      },
    }),
  ];
}

const ageOf = (node: ServedNode, task: 'backup' | 'verify', name: string): Gauge =>
  gauge(name, `When netd ${task} last succeeded on this data directory. No value if never.`, () => {
    const at = node.lastDone(task);
    return at === null ? null : at / 1_000;
  });

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

class Durations extends Histogram<'outcome' | 'le'> {
  private readonly about: { name: string; help: string };
  private readonly kept: Readonly<Record<string, DurationHistogram>>;

  constructor(name: string, help: string, kept: Readonly<Record<string, DurationHistogram>>) {
    super({ name, help, labelNames: ['outcome'], registers: [] });
    this.about = { name, help };
    this.kept = kept;
  }

  /** The package's types omit this method. */
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
  source: MetricsSource,
  figure: 'documents' | 'bytes',
): Gauge {
  return new Gauge<string>({
    name,
    help,
    labelNames: ['cache'],
    registers: [],
    collect() {
      for (const [cache, figures] of Object.entries(source.cacheFigures())) {
        this.set({ cache }, figures[figure]);
      }
    },
  });
}
