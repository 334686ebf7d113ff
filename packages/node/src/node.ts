import { resolve } from 'node:path';
import {
  Admission,
  asDataDirError,
  BackgroundVerifier,
  checkpointFiles,
  Checkpoints,
  type Clock,
  type EngineStatus,
  EventFeed,
  type HealthIssue,
  type HealthIssueKind,
  failpointFromPlan,
  type ForkPointFiles,
  forkPointIn,
  filesWithFailpoints,
  type Lab,
  LEAST_FREE_BYTES,
  rebuildLists,
  Store,
  storeOptionsOf,
  systemClock,
  HALF_THE_CORES,
  VerifierPool,
} from '@netd/engine';
import { NEWEST_RULES, type Collections } from '@netd/ledger';
import { convertAtStart } from './convert-database.ts';
import { openValidator } from './open-validator.ts';
import { asDatabaseError, type DataDir, placesIn, type ValidatorDir } from './data-dir.ts';
import type { CometDir } from './comet-dir.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { lastDone, type Task } from './last-done.ts';
import type { FollowerDir } from './follower-dir.ts';
import type { CometNodeOptions } from './open-comet-node.ts';
import type { FollowOptions } from './open-follower.ts';
import { type EngineBlocks, Metrics, type ServedNode } from '@netd/server';
import type { CommonNodeOptions, NodeOptions, OpenContext, OpenedNode } from './node-options.ts';

interface NodeParts<Dir extends DataDir> extends OpenedNode<Dir> {
  verifier: VerifierPool;
  checkpoints: Checkpoints;
  metrics: Metrics;
  clock: Clock;
  unlock: () => void;
  blockIssues: BlockIssues;
}

interface BlockIssues {
  /** Last failed write; null after the next success. */
  disk: string | null;
  halted: string | null;
}

export class NetNode<Dir extends DataDir = ValidatorDir> implements ServedNode {
  readonly dataDir: Dir;
  readonly store: Store;
  readonly chain: OpenedNode<Dir>['chain'];
  readonly mempool: OpenedNode<Dir>['mempool'];
  readonly admission: Admission;
  readonly checkpoints: Checkpoints;
  readonly events: EventFeed;
  readonly backgroundVerifier: BackgroundVerifier;
  readonly metrics: Metrics;
  readonly blockTime: number;
  readonly idleBlockTime: number;
  readonly startedAt: number;
  readonly engineBlocks: EngineBlocks | null;
  private readonly consensus: OpenedNode<Dir>['consensus'];
  private readonly verifier: VerifierPool;
  private readonly unlock: () => void;
  private readonly blockIssues: BlockIssues;
  private state: 'running' | 'draining' | 'stopping' = 'running';
  private ended: Promise<void> | null = null;

  private constructor(parts: NodeParts<Dir>) {
    const { chain, store, clock } = parts;
    this.dataDir = parts.dataDir;
    this.store = store;
    this.chain = chain;
    this.mempool = parts.mempool;
    this.admission = new Admission(parts);
    this.checkpoints = parts.checkpoints;
    this.events = new EventFeed(chain, store);
    this.backgroundVerifier = new BackgroundVerifier(chain, store, clock);
    this.metrics = parts.metrics;
    this.blockTime = parts.blockTime;
    this.idleBlockTime = parts.idleBlockTime;
    this.startedAt = clock.now();
    this.engineBlocks = parts.engineProxy ?? null;
    this.consensus = parts.consensus;
    this.verifier = parts.verifier;
    this.unlock = parts.unlock;
    this.blockIssues = parts.blockIssues;
  }

  /** @throws DataDirError, StoreError */
  static async start(options: NodeOptions): Promise<NetNode> {
    return NetNode.open(options, (context) => openValidator(options, context));
  }

  /**
   * Starts a node of CometBFT, with or without a validator's key.
   * @throws DataDirError, StoreError, EngineAddressError
   */
  static async startCometNode(options: CometNodeOptions): Promise<NetNode<CometDir>> {
    const { openCometNode } = await import('./open-comet-node.ts');
    try {
      const verifier = new VerifierPool(HALF_THE_CORES);
      return await NetNode.open(options, (context) => openCometNode(options, context), verifier);
    } catch (error) {
      // An abort can cause other errors.
      options.signal?.throwIfAborted();
      throw error;
    }
  }

  /**
   * Starts a follower, which certifies nothing and verifies everything.
   * @throws DataDirError, StoreError, FollowError
   */
  static async follow(options: FollowOptions): Promise<NetNode<FollowerDir>> {
    try {
      const { openFollower } = await import('./open-follower.ts');
      return await NetNode.open(options, (context) => openFollower(options, context));
    } catch (error) {
      // An abort can cause other errors.
      options.signal?.throwIfAborted();
      throw error;
    }
  }

  private static async open<Dir extends DataDir>(
    options: CommonNodeOptions,
    openChain: (context: OpenContext) => Promise<OpenedNode<Dir>>,
    verifier = new VerifierPool(),
  ): Promise<NetNode<Dir>> {
    const clock = options.clock ?? systemClock;
    const { metrics = new Metrics() } = options;
    const blockIssues: BlockIssues = { disk: null, halted: null };
    const unlock = lockDataDir(options.dataDir);
    let node: NetNode<Dir> | null = null;
    let store: Store | undefined;
    let opened: OpenedNode<Dir> | null = null;
    try {
      await options.onLocked?.();
      const failpoint = failpointFromPlan(options.failpoint);
      const { signal, onConversion } = options;
      await convertAtStart(options.dataDir, { signal, onConversion, reach: failpoint });
      await rebuildLists(placesIn(resolve(options.dataDir)).storePath, {
        onProgress: options.onListRebuild,
        signal,
      });
      opened = await openChain({
        clock,
        verifier,
        openStore: ({ storePath, genesis }) =>
          (store = Store.open(storePath, storeOptionsOf(genesis))),
        failpoint,
        events: {
          onBlockFailure: (error, height) => {
            metrics.writeFailures += 1;
            blockIssues.disk = `block ${height} could not be written, and is tried again: ${messageOf(error)}`;
            options.onBlockFailure?.(error, height);
          },
          onHalt: (error) => {
            blockIssues.halted = `there are no more blocks: ${messageOf(error)}`;
            node?.drain();
            if (options.onHalt) options.onHalt(error);
            else endProcess(error);
          },
        },
      });
      // Must be the first block listener.
      opened.chain.onBlock((height, transitionCount) => {
        failpoint('block.answered', height);
        metrics.countBlock(height, transitionCount);
        blockIssues.disk = null;
      });
      metrics.height = opened.chain.height;
      const checkpoints = await Checkpoints.open({
        directory: opened.dataDir.checkpointsPath,
        store: opened.store,
        clock,
        files: filesWithFailpoints(checkpointFiles, failpoint),
        forkPoint: forkPointOf(opened.dataDir),
        onDamage: () => {
          metrics.checkpointFaults += 1;
        },
      });
      opened.chain.onBlock(() => checkpoints.noteBlock());
      opened.engineProxy?.attach(checkpoints);
      const { chain } = opened;
      chain.onReturn(() => {
        metrics.height = chain.height;
        checkpoints.noteReturn(chain.height);
      });
      node = new NetNode({ ...opened, verifier, checkpoints, metrics, blockIssues, clock, unlock });
    } catch (error) {
      await opened?.consensus.stop();
      await verifier.close();
      await store?.close();
      unlock();
      throw asDataDirError(resolve(options.dataDir), asDatabaseError(options.dataDir, error));
    }
    // The chain may have halted before the node existed.
    if (blockIssues.halted !== null) node.drain();
    node.consensus.start();
    node.backgroundVerifier.start();
    return node;
  }

  get status(): EngineStatus {
    return this.consensus.status;
  }

  /** Null unless this node makes a laboratory's blocks. */
  get lab(): Lab | null {
    return this.consensus.lab ?? null;
  }

  /** Call it if a message announced a block that is not here yet. */
  poll(): void {
    this.consensus.poll();
  }

  /** Replaces the nodes that a follower asks, until the next start. */
  setOrigins(origins: readonly string[]): void {
    this.consensus.setOrigins?.(origins);
  }

  lastDone(task: Task): number | null {
    return lastDone(this.dataDir.path, task);
  }

  faults(): string[] {
    return this.issues().map(({ text }) => text);
  }

  issues(): HealthIssue[] {
    const { fault } = this.backgroundVerifier.current();
    const damage = fault && `block ${fault.height} on disk is not as certified: ${fault.reason}`;
    return [
      ...issue('damaged-block', damage),
      ...issue('disk', this.blockIssues.disk ?? this.fullDisk()),
      ...issue('halted', this.blockIssues.halted),
      ...issue('unknown-rules', this.unknownRules()),
      ...this.status.issues,
      ...issue('checkpoint', this.checkpoints.fault),
      ...issue('unbelieved-proxy', this.metrics.hasUnbelievedProxy ? UNBELIEVED_PROXY : null),
    ];
  }

  private unknownRules(): string | null {
    const schedule = this.store.get('rules-schedule/next') as
      Collections['rules-schedule'] | undefined;
    if (!schedule || schedule.version <= NEWEST_RULES) return null;
    const { version, height, artifactHash, readyIds } = schedule;
    const remaining = height - 1 - this.chain.height;
    const when = remaining > 0 ? `, in ${remaining} blocks,` : '';
    // If another process signs, the id is not known here.
    const { validator } = this.dataDir as { validator?: { actorId: string } | null };
    const claim =
      validator && readyIds.includes(validator.actorId)
        ? `, although the owner of ${validator.actorId} announced that it is ready`
        : '';
    return `this netd stops before block ${height}${when} because it lacks version ${version} of the rules${claim}: install the release with the artifact hash ${artifactHash}`;
  }

  private fullDisk(): string | null {
    try {
      if (this.store.hasRoom()) return null;
    } catch (error) {
      return `the disk of the database does not answer: ${messageOf(error)}`;
    }
    return `the disk of ${this.dataDir.storePath} is full: no write is taken until ${LEAST_FREE_BYTES / 1_048_576} MiB are free`;
  }

  get ready(): boolean {
    return this.state === 'running';
  }

  /** Refuses new requests; accepted ones continue. */
  drain(): void {
    if (this.state === 'running') this.state = 'draining';
  }

  /** Commits pending envelopes first. */
  stop(): Promise<void> {
    this.ended ??= this.end();
    return this.ended;
  }

  private async end(): Promise<void> {
    this.state = 'stopping';
    this.backgroundVerifier.stop();
    await this.consensus.stop();
    await this.checkpoints.settle();
    await this.verifier.close();
    await this.store.close();
    this.unlock();
  }
}

/** Returns null if the fork point is missing, undefined if the chain is no fork. */
function forkPointOf({ path, genesis: { fork } }: DataDir): ForkPointFiles | null | undefined {
  if (!fork) return undefined;
  const files = forkPointIn(path, fork);
  return files && { directory: files.directory, checkpoint: files.point.checkpoint };
}

const UNBELIEVED_PROXY =
  'a proxy on this machine passes requests on, and --trust-proxy does not name it: all its clients count as one address, and have no limits beyond those of newcomers; start with --trust-proxy';

const issue = (kind: HealthIssueKind, text: string | null): HealthIssue[] =>
  text === null ? [] : [{ kind, text }];

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
