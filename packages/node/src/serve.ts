/** A node with its HTTP interface, listening. */
import { isIP, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { isLoopback } from './http/loopback.ts';
import { discovery } from './discovery/server-part.ts';
import type { AllowedNames } from './http/context.ts';
import type { HttpLimits } from './http/limits.ts';
import { buildServer } from './http/server.ts';
import type { DataDir, ValidatorDir } from './data-dir.ts';
import type { FollowerDir } from './follower/follower-dir.ts';
import type { FollowOptions } from './follower/follower-kind.ts';
import { NetNode } from './node.ts';
import type { CommonNodeOptions, NodeOptions } from './node-kind.ts';

/** How a node is reached. */
export interface HttpServeOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  publicUrl?: string;
  logger?: Logger;
  trustProxy?: boolean;
  writesPerMinute?: number;
  discoveryPerMinute?: number;
  allowed?: AllowedNames;
  limits?: Partial<HttpLimits>;
}

export interface ServeOptions extends NodeOptions, HttpServeOptions {}

export interface ServeFollowerOptions extends FollowOptions, HttpServeOptions {
  /** Hands writes on to the origins instead of refusing them. */
  forwardWrites?: boolean;
}

export interface RunningNode<Dir extends DataDir = ValidatorDir> {
  node: NetNode<Dir>;
  app: FastifyInstance;
  /** Where this machine reaches it. */
  url: string;
  publicUrl: string;
  /** Stops taking requests, commits what waits, closes everything. */
  stop(): Promise<void>;
}

export class ServeError extends Error {
  override name = 'ServeError';
}

/** How long a stopping node waits for requests that are in. */
const GRACE_MILLISECONDS = 5_000;
const SWEEP_MILLISECONDS = 50;
/** Connections that wait to be accepted while the loop is busy; the system may allow fewer. */
const BACKLOG = 8_192;

/**
 * A node that makes blocks.
 * @throws ServeError, DataDirError, StoreError with a sentence for the operator
 */
export async function serve(options: ServeOptions): Promise<RunningNode> {
  if (options.open === true) requireLoopback(options);
  const node = await NetNode.start({
    ...withLog(options, options.logger),
    onClockFault: (fault) => {
      if (fault === null) options.logger?.warn('the clock is believed again, blocks are made');
      else options.logger?.error(fault);
      options.onClockFault?.(fault);
    },
  });
  return serveNode(node, options, () => {
    // The chain that was there before may be open, whatever this start asks for.
    if (node.dataDir.genesis.open) requireLoopback(options);
  });
}

/**
 * A node that follows others.
 * @throws ServeError, FollowError, DataDirError, StoreError with a sentence for the operator
 */
export async function serveFollower(
  options: ServeFollowerOptions,
): Promise<RunningNode<FollowerDir>> {
  requireOthers(options);
  const node = await NetNode.follow(withLog(options, options.logger));
  return serveNode(node, options, () => {}, options.forwardWrites);
}

/** Nobody learns anything from following itself. */
function requireOthers({ origins, host, port, publicUrl }: ServeFollowerOptions): void {
  const everywhere = host === '0.0.0.0' || host === '::' || isLoopback(host);
  for (const url of origins) {
    const { hostname, port: named, origin, protocol } = new URL(url);
    const name = hostname.replace(/^\[|\]$/g, '');
    const isPort = Number(named || (protocol === 'https:' ? 443 : 80)) === port;
    const isHost = name === host || (everywhere && isLoopback(name));
    const isPublic = publicUrl !== undefined && new URL(publicUrl).origin === origin;
    if (isPublic || (isPort && isHost)) {
      throw new ServeError(
        `${url} is the address of this copy itself: name another node to follow, or choose another --port`,
      );
    }
  }
}

function requireLoopback({ host }: HttpServeOptions): void {
  if (isLoopback(host)) return;
  throw new ServeError('open mode takes unsigned payloads: it is only for --host 127.0.0.1');
}

/** The options, with the log told before those who listen. */
function withLog<Options extends CommonNodeOptions>(options: Options, logger?: Logger): Options {
  const { onBlockFailure, onHalt } = options;
  return {
    ...options,
    onBlockFailure: (error, height) => {
      logger?.error({ err: error, height }, 'a block could not be committed');
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

async function serveNode<Dir extends DataDir>(
  node: NetNode<Dir>,
  options: HttpServeOptions,
  check: () => void,
  forwardWrites = false,
): Promise<RunningNode<Dir>> {
  let publicUrl = options.publicUrl ?? '';
  try {
    check();
    const app = await buildServer(node, {
      ...(options.logger ? { logger: options.logger } : {}),
      ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
      ...(options.writesPerMinute === undefined
        ? {}
        : { writesPerMinute: options.writesPerMinute }),
      ...(options.discoveryPerMinute === undefined
        ? {}
        : { discoveryPerMinute: options.discoveryPerMinute }),
      ...(options.allowed === undefined ? {} : { allowed: options.allowed }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      forwardWrites,
      loopback: isLoopback(options.host),
      // The port is known only after listening; documents read this later than that.
      get publicUrl() {
        return publicUrl;
      },
      parts: [discovery],
    });
    const closeUnused = unusedConnections(app.server);
    await listen(app, options);
    const address = app.server.address();
    const port = typeof address === 'object' && address ? address.port : options.port;
    const url = `http://${hostInUrl(options.host)}:${port}`;
    publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '');
    let stopping: Promise<void> | null = null;
    return {
      node,
      app,
      url,
      publicUrl,
      stop: () => {
        stopping ??= stop(app, node, closeUnused);
        return stopping;
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function stop(
  app: FastifyInstance,
  node: NetNode<DataDir>,
  closeUnused: () => void,
): Promise<void> {
  node.drain();
  // Requests that are in get their answer: the chain goes on until the last of them has it. A connection that has had
  // its answer, or never gets to the end of its request, must not hold the node up.
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    closeUnused();
  }, SWEEP_MILLISECONDS);
  const deadline = setTimeout(() => app.server.closeAllConnections(), GRACE_MILLISECONDS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
  await node.stop();
}

/**
 * Connections that never carried a byte, as browsers and clients open them ahead: Node does not count them as idle.
 * @returns closes those of the moment
 */
function unusedConnections(server: FastifyInstance['server']): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

async function listen(app: FastifyInstance, { host, port }: HttpServeOptions): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ServeError(`port ${port} on ${host} is in use; choose another with --port`);
    }
    if (code === 'EACCES') throw new ServeError(`port ${port} needs more rights; choose another`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ServeError(`${host} is not an address of this machine`);
    }
    throw error;
  }
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
