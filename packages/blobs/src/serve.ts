import { isIP } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listenFailure, type TrustProxy } from '@netd/client-limits';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Catalogue } from './catalogue.ts';
import { ensureCertificate } from './certificate.ts';
import { Connections } from './connections.ts';
import type { ReachFailpoint } from './failpoints.ts';
import { Expiry } from './expiry.ts';
import { KeyDirectory } from './key-directory.ts';
import { DEFAULT_LIMITS, limitsFrom, type BlobLimits } from './limits.ts';
import { Metrics } from './metrics.ts';
import { fitLimits } from './open-files.ts';
import { buildServer } from './server.ts';
import { BlobService } from './service.ts';
import type { BucketOptions } from './storage/bucket.ts';
import { DiskStorage } from './storage/disk.ts';
import type { BlobStorage } from './storage/storage.ts';
import { sharePortWithTls } from './tls.ts';
import { NodeWorkDirectory } from './work-directory.ts';

export interface ServeBlobsOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Only one process may use this directory. */
  dataDir: string;
  nodeUrl: string;
  /** Default: host and port. */
  publicUrl?: string;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustProxy?: TrustProxy;
  limits?: Partial<BlobLimits>;
  /** Number of files that the process may open. Other limits are lowered to fit. */
  openFiles?: number;
  /** A bucket that replaces the disk. */
  bucket?: BucketOptions;
  logger?: Logger;
  reach?: ReachFailpoint;
  now?: () => number;
}

export interface RunningBlobs {
  url: string;
  httpsUrl: string | null;
  /** SHA-256 of the certificate. */
  fingerprint: string | null;
  publicUrl: string;
  service: BlobService;
  expiry: Expiry;
  /** @param writesPerMinute of one address; the default if undefined */
  setWriteRate: (writesPerMinute: number | undefined) => void;
  stop: () => Promise<void>;
}

export class ServeBlobsError extends Error {
  override name = 'ServeBlobsError';
}

/** @throws ServeBlobsError */
export async function serveBlobs(options: ServeBlobsOptions): Promise<RunningBlobs> {
  const { host, port, dataDir } = options;
  const now = options.now ?? Date.now;
  const loopback = isLoopback(host);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const limits = fitLimits(limitsFrom(options.limits), options.openFiles ?? Infinity);
  // Create the folder first: LMDB's own would be readable by others.
  mkdirSync(join(dataDir, 'catalogue'), { recursive: true, mode: 0o700 });
  const catalogue = Catalogue.open(join(dataDir, 'catalogue'), limits);
  let opened: Opened | null = null;
  try {
    const storage = await storageOf(options);
    const incoming = join(dataDir, 'incoming');
    const reach = options.reach ?? (() => {});
    const service = await BlobService.start({
      catalogue,
      storage,
      limits,
      work: new NodeWorkDirectory(options.nodeUrl),
      incoming,
      now,
      reach,
    });
    const expiry = new Expiry(service, options.nodeUrl, (error) =>
      options.logger?.warn({ err: error }, 'the node cannot be asked which blobs may be removed'),
    );
    const authorities = new Set<string>();
    const { app, guard } = await buildServer({
      service,
      keys: new KeyDirectory(options.nodeUrl),
      metrics: new Metrics(service),
      isOwnAuthority: (authority: string) => authorities.has(authority),
      loopback: loopback && options.trustProxy === undefined,
      ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
      ...(options.logger ? { logger: options.logger } : {}),
    });
    const running = { app, service, expiry, connections: new Connections(app.server) };
    opened = running;
    const tls = loopback ? await ensureCertificate(join(dataDir, 'tls'), now()) : null;
    if (tls) sharePortWithTls(app.server, { ...tls, patience: limits.headersTimeout });
    guard.watch(app.server);
    await listen(app, host, port);
    const address = app.server.address();
    const own = typeof address === 'object' && address ? address.port : port;
    const names = loopback ? ['127.0.0.1', 'localhost', '[::1]'] : [hostInUrl(host)];
    for (const name of names) {
      // Host omits the scheme's default port.
      for (const scheme of ['http', 'https'])
        authorities.add(new URL(`${scheme}://${name}:${own}`).host);
    }
    expiry.start();
    const url = `http://${hostInUrl(host)}:${own}`;
    const publicUrl = new URL(options.publicUrl ?? url).origin;
    authorities.add(new URL(publicUrl).host);
    let stopping: Promise<void> | null = null;
    return {
      url,
      httpsUrl: tls ? url.replace('http:', 'https:') : null,
      fingerprint: tls?.fingerprint ?? null,
      publicUrl,
      service,
      expiry,
      setWriteRate: (writesPerMinute = DEFAULT_LIMITS.writesPerMinute) =>
        Object.assign(limits, { writesPerMinute }),
      stop: () => (stopping ??= stop(running, catalogue)),
    };
  } catch (error) {
    await stop(opened, catalogue);
    throw error;
  }
}

async function storageOf({ bucket, dataDir }: ServeBlobsOptions): Promise<BlobStorage> {
  if (!bucket) return new DiskStorage(join(dataDir, 'blobs'));
  const { BucketStorage } = await import('./storage/bucket.ts');
  return new BucketStorage(bucket);
}

interface Opened {
  app: FastifyInstance;
  service: BlobService;
  expiry: Expiry;
  connections: Connections;
}

async function stop(opened: Opened | null, catalogue: Catalogue): Promise<void> {
  try {
    await opened?.connections.closeWith(() => opened.app.close());
  } finally {
    await opened?.expiry.stop();
    await opened?.service.stop();
    await catalogue.close();
  }
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const sentence = listenFailure(error, { host, port }, '--port');
    throw sentence === null ? error : new ServeBlobsError(sentence, { cause: error });
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
