import { createPrivateKey, sign } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import {
  buildServer,
  type CardSigner,
  discovery,
  type HttpListener,
  type HttpOptions,
  type RequestTraces,
  StartupServer,
  Metrics,
} from '@netd/server';
import type { CometDir } from './comet-dir.ts';
import { type ControlToken, writeControlToken } from './control-token.ts';
import type { DataDir, ValidatorDir } from './data-dir.ts';
import { type FollowerDir, keepOrigins } from './follower-dir.ts';
import type { CometNodeOptions } from './open-comet-node.ts';
import type { FollowOptions } from './open-follower.ts';
import { RestoreReport } from '@netd/sync';
import { HealthWatch } from '@netd/engine';
import {
  hostInUrl,
  type HttpServeOptions,
  isOwnMachine,
  listen,
  listenForMetrics,
  openListener,
  type Rates,
  requireForkable,
  requireLoopback,
  requireOthers,
  requireOwnMachine,
} from './http-address.ts';
import type { MetricsListener } from './metrics-listener.ts';
import { NetNode } from './node.ts';
import type { CommonNodeOptions, NodeOptions } from './node-options.ts';
import { operatorKeyFault } from './operator-key.ts';

export interface ServeOptions extends NodeOptions, HttpServeOptions {}

export interface ServeFollowerOptions extends FollowOptions, HttpServeOptions {
  forwardWrites?: boolean;
}

export interface ServeCometOptions extends CometNodeOptions, HttpServeOptions {}

export interface RunningNode<Dir extends DataDir = ValidatorDir> {
  node: NetNode<Dir>;
  app: FastifyInstance;
  url: string;
  publicUrl: string;
  metricsUrl: string | null;
  /** For laboratory calls and unsigned writes; null if this node accepts neither. */
  control: ControlToken | null;
  /** Replaces the rates and names. Omitted ones return to their defaults. */
  setLimits: (limits: Rates & Pick<HttpServeOptions, 'allowed'>) => void;
  /** Commits pending envelopes first. */
  stop(): Promise<void>;
}

/** @throws ServeError, DataDirError, StoreError */
export async function serve(options: ServeOptions): Promise<RunningNode> {
  if (options.open === true) requireLoopback(options);
  if (options.laboratory === true) requireOwnMachine(options);
  if (options.forkFrom) requireForkable(options, options.forkFrom);
  const metrics = new Metrics();
  const listener = openListener(metrics, options);
  try {
    const node = await NetNode.start({
      ...withLog(options, options.logger),
      metrics,
      // Listen before a new chain is created, because a port in use must not leave one behind.
      onLocked: () => listen(listener, options),
    });
    const fault = operatorKeyFault(node.dataDir, node.store);
    if (fault !== null) options.logger?.warn(fault);
    return await serveNode(node, listener, options);
  } catch (error) {
    await listener.dismiss();
    throw error;
  }
}

/**
 * Listens at once; the chain waits for more than two thirds of the validators.
 * @throws ServeError, and as `NetNode.startCometNode`
 */
export function serveComet(options: ServeCometOptions): Promise<RunningNode<CometDir>> {
  return serveOpening(options, (opening, startupServer) => {
    startupServer.doing = 'This node waits until more than two thirds of the validators have met';
    return NetNode.startCometNode({
      ...withLog(options, options.logger),
      ...opening,
      onOtherGenesis: (sentence) => {
        startupServer.doing = `This node waits for validators that begin from its genesis: ${sentence}`;
        options.onOtherGenesis?.(sentence);
      },
    });
  });
}

/**
 * Listens at once and reports progress, because fetching a state takes minutes.
 * @throws ServeError, FollowError, DataDirError, StoreError
 */
export async function serveFollower(
  options: ServeFollowerOptions,
): Promise<RunningNode<FollowerDir>> {
  requireOthers(options);
  const { forwardWrites } = options;
  return serveOpening(
    options,
    (opening, startupServer) =>
      NetNode.follow({
        ...tellingStartupServer(startupServer, withLog(options, options.logger)),
        ...opening,
      }),
    forwardWrites,
  );
}

/**
 * Lets a running follower ask other nodes, also after the next start.
 * @throws ServeError, FollowError
 */
export async function followOrigins(
  { node }: RunningNode<FollowerDir>,
  options: HttpServeOptions & { origins: readonly string[] },
): Promise<void> {
  requireOthers(options);
  node.setOrigins(await keepOrigins(node.dataDir, options.origins));
}

type Opening = Required<Pick<CommonNodeOptions, 'metrics' | 'onLocked'>>;

async function serveOpening<Dir extends DataDir>(
  options: HttpServeOptions,
  open: (opening: Opening, startupServer: StartupServer) => Promise<NetNode<Dir>>,
  forwardWrites?: boolean,
): Promise<RunningNode<Dir>> {
  const metrics = new Metrics();
  const listener = openListener(metrics, options);
  const startupServer = await StartupServer.enter({
    ...options,
    listener,
    formats: discovery.errorFormats,
  });
  try {
    const node = await open({ metrics, onLocked: () => listen(listener, options) }, startupServer);
    return await serveNode(node, listener, options, forwardWrites);
  } catch (error) {
    await listener.close();
    throw error;
  } finally {
    await startupServer.close();
  }
}

function withLog<Options extends CommonNodeOptions>(options: Options, logger?: Logger): Options {
  const { onBlockFailure, onConversion, onHalt, onListRebuild } = options;
  let lastFailure = '';
  let lastConversion = '';
  let lastTenth = -1;
  return {
    ...options,
    onConversion: (progress) => {
      const { phase, done, total } = progress;
      const percent = 10 * Math.floor((10 * done) / Math.max(1, total));
      const step = `${phase} ${percent}`;
      if (step !== lastConversion) {
        logger?.warn({ phase, percent }, 'converting the database of another version');
      }
      lastConversion = step;
      onConversion?.(progress);
    },
    onListRebuild: (progress) => {
      const { collections, done, total, finished } = progress;
      const tenth = finished ? 10 : Math.floor((10 * done) / Math.max(1, total));
      if (tenth > lastTenth) {
        const what = finished
          ? 'rebuilt the lists of another version'
          : 'rebuilding the lists of another version';
        logger?.warn({ collections, percent: 10 * tenth }, what);
      }
      lastTenth = tenth;
      onListRebuild?.(progress);
    },
    onBlockFailure: (error, height) => {
      // Every write retries the block; logging each time would fill the disk.
      const failure = `${height} ${String(error)}`;
      if (failure !== lastFailure)
        logger?.error({ err: error, height }, 'a block could not be committed');
      lastFailure = failure;
      onBlockFailure?.(error, height);
    },
    ...(onHalt === undefined
      ? {}
      : {
          onHalt: (error: unknown) => {
            logger?.fatal({ err: error }, 'the chain cannot go on');
            onHalt(error);
          },
        }),
  };
}

function tellingStartupServer(startupServer: StartupServer, options: FollowOptions): FollowOptions {
  const report = new RestoreReport(() => performance.now());
  startupServer.doing = 'This follower asks its origins which chain they have';
  return {
    ...options,
    onChain: (chainId) => {
      startupServer.chainId = chainId;
      startupServer.doing = 'This follower looks for the state to begin with';
      options.onChain?.(chainId);
    },
    onRestore: (progress) => {
      startupServer.doing = report.tell(progress);
      options.onRestore?.(progress);
    },
    onFallback: (reason) => {
      startupServer.doing = 'This follower begins at genesis';
      options.onFallback?.(reason);
    },
  };
}

async function serveNode<Dir extends DataDir>(
  node: NetNode<Dir>,
  listener: HttpListener,
  options: HttpServeOptions,
  forwardWrites = false,
): Promise<RunningNode<Dir>> {
  let publicUrl = options.publicUrl ?? '';
  try {
    // An existing chain may be open, even if this start does not ask for it.
    const isOpen = node.status.writer === null && node.dataDir.genesis.open;
    if (isOpen) requireLoopback(options);
    if (node.lab) requireOwnMachine(options);
    const control =
      isOpen || node.lab ? writeControlToken(node.dataDir.path, options.controlToken) : null;
    const traces = await tracesOf(options, node.chain.identity.chainId);
    const http: HttpOptions = {
      listener,
      ...(traces ? { traces } : {}),
      ...(options.logger ? { logger: options.logger } : {}),
      ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
      ...(options.writesPerMinute === undefined
        ? {}
        : { writesPerMinute: options.writesPerMinute }),
      ...(options.newcomers === undefined ? {} : { newcomers: options.newcomers }),
      believesProxies: options.trustProxy !== undefined,
      ...(options.readsPerMinute === undefined ? {} : { readsPerMinute: options.readsPerMinute }),
      ...(options.discoveryPerMinute === undefined
        ? {}
        : { discoveryPerMinute: options.discoveryPerMinute }),
      ...(options.allowed === undefined ? {} : { allowed: options.allowed }),
      ...(options.securityContact === undefined
        ? {}
        : { securityContact: options.securityContact }),
      ...cardSignerOf(node.dataDir),
      ...(control ? { controlToken: control.token } : {}),
      ...(options.demo ? { demo: options.demo } : {}),
      ...(options.ownStores ? { ownStores: options.ownStores } : {}),
      metricsElsewhere: options.metricsListen !== undefined,
      forwardWrites,
      loopback: isOwnMachine(options),
      get publicUrl() {
        return publicUrl;
      },
      parts: [discovery],
    };
    const { app, enter, figures } = await buildServer(node, http);
    if (!listener.server.listening) await listen(listener, options);
    const url = `http://${hostInUrl(options.host)}:${listener.port}`;
    publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '');
    const metricsListener = await listenForMetrics(options, app, figures);
    await enter();
    const { logger } = options;
    logger?.info({ chainId: node.chain.identity.chainId, height: node.chain.height }, 'ready');
    if (logger?.isLevelEnabled('debug')) {
      node.chain.onBlock((height, transitions) => logger.debug({ height, transitions }, 'block'));
    }
    const unwatch = watchHealth(node, logger);
    let stopping: Promise<void> | null = null;
    return {
      node,
      app,
      url,
      publicUrl,
      metricsUrl: metricsListener?.url ?? null,
      control,
      setLimits: (limits) => Object.assign(http, NO_LIMITS, limits),
      stop: () => {
        unwatch();
        stopping ??= stop({ app, node, metricsListener, traces }, logger);
        return stopping;
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

const NO_LIMITS = {
  writesPerMinute: undefined,
  readsPerMinute: undefined,
  discoveryPerMinute: undefined,
  newcomers: undefined,
  allowed: undefined,
} satisfies Record<keyof Rates | 'allowed', undefined>;

/** Followers and full nodes have no key that the chain knows. */
function cardSignerOf(dataDir: DataDir | ValidatorDir | CometDir): { cardSigner?: CardSigner } {
  if (!('validator' in dataDir) || dataDir.validator === null) return {};
  const { actorId: keyId, publicKey, privateKey } = dataDir.validator;
  const key = createPrivateKey(privateKey);
  return { cardSigner: { keyId, publicKey, sign: (bytes) => sign(null, bytes, key) } };
}

const HEALTH_LOOK_MILLISECONDS = 1_000;

function watchHealth(node: NetNode<DataDir>, logger: Logger | undefined): () => void {
  if (!logger) return () => {};
  const watch = new HealthWatch(logger);
  const timer = setInterval(() => watch.look(node.issues()), HEALTH_LOOK_MILLISECONDS);
  timer.unref();
  return () => clearInterval(timer);
}

async function tracesOf(
  { traces, logger }: HttpServeOptions,
  chainId: string,
): Promise<RequestTraces | null> {
  if (!traces) return null;
  const { OpenTelemetryTraces } = await import('@netd/server/open-telemetry');
  return new OpenTelemetryTraces(traces, { chainId, ...(logger ? { logger } : {}) });
}

interface Stopped {
  app: FastifyInstance;
  node: NetNode<DataDir>;
  metricsListener: MetricsListener | null;
  traces: RequestTraces | null;
}

async function stop(
  { app, node, metricsListener, traces }: Stopped,
  logger: Logger | undefined,
): Promise<void> {
  node.drain();
  // The chain must run until the last request is answered.
  await app.close();
  await metricsListener?.close();
  // By now the spans of the last requests have ended.
  await Promise.all([traces?.end(), node.stop()]);
  logger?.info({ height: node.chain.height }, 'stopped');
}
