import { isIP } from 'node:net';
import { proxyTest, type TrustProxy } from '@netd/client-limits';
import {
  type AllowedNames,
  type buildServer,
  type Demo,
  HttpListener,
  type HttpLimits,
  isLoopback,
  type Metrics,
  OpenFilesError,
} from '@netd/server';
import type { NewcomerRates } from '@netd/engine';
import { ForkPointError } from '@netd/sync';
import type { TraceSettings } from '@netd/server/trace-settings';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ForkFrom } from './fork-dir.ts';
import {
  type ListenAddress,
  type MetricsListener,
  openMetricsListener,
} from './metrics-listener.ts';
import { listenError, ServeError } from './serve-error.ts';

/** Requests per address. SIGHUP may change them. No limit on loopback without a proxy; see HttpOptions. */
export interface Rates {
  writesPerMinute?: number;
  readsPerMinute?: number;
  discoveryPerMinute?: number;
  /** Registrations per hour and first draws per day, per address. */
  newcomers?: Partial<NewcomerRates>;
}

export interface HttpServeOptions extends Rates {
  host: string;
  /** 0 for any free port. */
  port: number;
  publicUrl?: string;
  logger?: Logger;
  /** Reverse proxies whose X-Forwarded-For is trusted. */
  trustProxy?: TrustProxy;
  allowed?: AllowedNames;
  /** URI for /.well-known/security.txt. */
  securityContact?: string;
  /** Serves /metrics and health; the public listener then has no /metrics. */
  metricsListen?: ListenAddress;
  demo?: Demo;
  /** Returns the origins of the stores that this process runs. */
  ownStores?: () => readonly string[];
  /** Protects laboratory calls and unsigned writes; default: random at every start. */
  controlToken?: string;
  traces?: TraceSettings;
  limits?: Partial<HttpLimits>;
}

const BACKLOG = 8_192;

/** @throws ServeError if too few files may be open */
export function openListener(metrics: Metrics, options: HttpServeOptions): HttpListener {
  const isProxy = proxyTest(options.trustProxy);
  try {
    return new HttpListener(
      metrics,
      options.limits,
      (address) => isOwnMachine(options) || isProxy(address, 0),
    );
  } catch (error) {
    if (error instanceof OpenFilesError) throw new ServeError(error.message, { cause: error });
    throw error;
  }
}

/** True if only this machine can reach the node. Behind a proxy it is false, because the proxy forwards
 * requests from other machines. */
export function isOwnMachine({ host, trustProxy }: HttpServeOptions): boolean {
  return isLoopback(host) && trustProxy === undefined;
}

function isItself(url: string, { host, port, publicUrl }: HttpServeOptions): boolean {
  const everywhere = host === '0.0.0.0' || host === '::' || isLoopback(host);
  const { port: named, protocol } = new URL(url);
  const name = hostOf(url);
  const isPort = Number(named || (protocol === 'https:' ? 443 : 80)) === port;
  const isHost = name === host || (everywhere && isLoopback(name));
  const isPublic = publicUrl !== undefined && addressOf(publicUrl) === addressOf(url);
  return isPublic || (isPort && isHost);
}

/** @throws ServeError, ForkPointError */
export function requireForkable(
  options: HttpServeOptions & { laboratory?: boolean },
  { url }: ForkFrom,
): void {
  if (options.laboratory !== true) {
    throw new ServeError('only a laboratory begins as a fork of another network');
  }
  if (!isItself(url, options)) return;
  throw new ForkPointError(
    'FORK_OF_ITSELF',
    `${url} is the address of this laboratory itself: name a node of the network to fork, or choose another --port`,
  );
}

/** @throws ServeError if the node would follow itself */
export function requireOthers(options: HttpServeOptions & { origins: readonly string[] }): void {
  for (const url of options.origins) {
    if (isItself(url, options)) {
      throw new ServeError(
        `${url} is the address of this follower itself: name another node to follow, or choose another --port`,
      );
    }
  }
}

export function requireLoopback({ host }: HttpServeOptions): void {
  if (isLoopback(host)) return;
  throw new ServeError('open mode takes unsigned payloads: it is only for --host 127.0.0.1');
}

/** @throws ServeError if other machines could reach a laboratory, which obeys every call */
export function requireOwnMachine(options: HttpServeOptions): void {
  const { publicUrl } = options;
  const isPublic = publicUrl !== undefined && !isLoopback(hostOf(publicUrl));
  if (isOwnMachine(options) && !isPublic) return;
  throw new ServeError(
    'a laboratory makes blocks and moves time for each caller: it is only for --host 127.0.0.1, without --trust-proxy and without a public --public-url',
  );
}

/** Keeps the path, because one host may serve several nodes. */
const addressOf = (url: string): string => new URL(url).href.replace(/\/+$/, '');

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

export async function listen(
  listener: HttpListener,
  { host, port, logger }: HttpServeOptions,
): Promise<void> {
  try {
    await listener.listen({ host, port, backlog: BACKLOG });
    logger?.info({ host, port: listener.port }, 'listening');
  } catch (error) {
    throw listenError(error, { host, port }, '--port');
  }
}

export async function listenForMetrics(
  { metricsListen, logger }: HttpServeOptions,
  app: FastifyInstance,
  figures: Awaited<ReturnType<typeof buildServer>>['figures'],
): Promise<MetricsListener | null> {
  if (metricsListen === undefined) return null;
  try {
    const listener = await openMetricsListener(metricsListen, app, figures);
    logger?.info({ url: listener.url }, 'listening for metrics');
    return listener;
  } catch (error) {
    throw listenError(error, metricsListen, '--metrics-listen');
  }
}

/** Returns a host by which this machine reaches the listener. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
