/** The process with the two blob stores of a devnet. It ends with the node. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServeBlobsError, serveBlobs, type RunningBlobs } from '@netd/blobs';
import { lockDataDir } from '@netd/node/data-dir-lock';
import { maxOpenFiles } from '@netd/server/open-files';
import { errorLog, type LogOptions } from '../error-log.ts';
import type { CopyReport } from './fork-blobs.ts';

export interface StartBlobs {
  nodeUrl: string;
  logOptions: LogOptions;
  /** The first start uses `port` if it is free. Later starts keep the port of the first. */
  services: { providerId: string; dataDir: string; port: number }[];
  /** A node of the fork's origin. The first start copies the blobs of live orders from its stores. */
  forkFrom?: string;
  trustedStores?: readonly string[];
}

export interface BlobsFacts {
  providerId: string;
  url: string;
  httpsUrl: string | null;
  certificateFingerprint: string | null;
  pid: number;
}

export type FromBlobs =
  | { kind: 'ready'; services: BlobsFacts[] }
  | { kind: 'copied'; report: CopyReport }
  | { kind: 'failed'; reason: string };

const STOP_MILLISECONDS = 1_000;

let running: RunningBlobs[] = [];
// Ctrl-C reaches the whole process group, but the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => {
  // Transfers get a moment to finish. Interrupted ones leave nothing behind.
  setTimeout(() => process.exit(0), STOP_MILLISECONDS).unref();
  void Promise.allSettled(running.map((service) => service.stop())).then(() => process.exit(0));
});
process.once('message', (start: StartBlobs) => {
  open(start)
    .then((services) => tell({ kind: 'ready', services }))
    .catch((error: unknown) => {
      tell({ kind: 'failed', reason: (error as Error).message });
      process.exitCode = 1;
      setImmediate(() => process.exit(1));
    });
});

function tell(message: FromBlobs): void {
  if (process.connected) process.send?.(message, () => {});
}

async function open(start: StartBlobs): Promise<BlobsFacts[]> {
  const { services, nodeUrl, logOptions } = start;
  const logger = errorLog(logOptions);
  const openFiles = maxOpenFiles() / services.length;
  const facts: BlobsFacts[] = [];
  for (const { providerId, dataDir, port } of services) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Hold the lock until the process ends.
    lockDataDir(dataDir, 'store');
    const service = await listen({ dataDir, nodeUrl, openFiles, logger, limits: LIMITS }, port);
    running = [...running, service];
    const { url, httpsUrl, fingerprint } = service;
    const { pid } = process;
    facts.push({ providerId, url, httpsUrl, certificateFingerprint: fingerprint, pid });
  }
  await copyFrom(start);
  return facts;
}

/** Copies the origin's blobs before the stores are announced, so that agents find them. */
async function copyFrom(start: StartBlobs): Promise<void> {
  const { forkFrom: originUrl, nodeUrl: url, services, trustedStores = [] } = start;
  const [first] = services;
  if (originUrl === undefined || !first) return;
  const done = join(first.dataDir, 'copied');
  if (existsSync(done)) return;
  const { copyForkBlobs } = await import('./fork-blobs.ts');
  const stores = running.map(({ service }, i) => ({
    service,
    agentId: services[i]?.providerId ?? '',
  }));
  const keep = async (hash: string, bytes: Uint8Array): Promise<void> => {
    await Promise.all(stores.map(({ service, agentId }) => service.keep(hash, bytes, agentId)));
  };
  const report = await copyForkBlobs({ url, originUrl, trustedStores, keep }).catch(
    (error: unknown): CopyReport => ({
      sentence: `the blobs of orders were not copied from ${originUrl} (${(error as Error).message}). These orders cannot be worked here`,
      isComplete: false,
    }),
  );
  tell({ kind: 'copied', report });
  writeFileSync(done, `${originUrl}\n`, { flush: true });
}

const LIMITS = { storageBytes: 1024 ** 3 };

type Service = Omit<Parameters<typeof serveBlobs>[0], 'host' | 'port'>;

/** Keeps the port, because URIs on the chain contain it. The first start uses `port`, or any free one. */
async function listen(service: Service, port: number): Promise<RunningBlobs> {
  const file = join(service.dataDir, 'port');
  const kept = readPort(file);
  const host = '127.0.0.1';
  if (kept !== null) {
    try {
      return await serveBlobs({ ...service, host, port: kept });
    } catch (error) {
      if (!(error instanceof ServeBlobsError)) throw error;
      throw new Error(
        `port ${kept} is in use, and URIs on the chain name it: free it, or remove ${file} to take another`,
        { cause: error },
      );
    }
  }
  const opened = await serveBlobs({ ...service, host, port }).catch((error: unknown) => {
    if (!(error instanceof ServeBlobsError)) throw error;
    return serveBlobs({ ...service, host, port: 0 });
  });
  writeFileSync(file, new URL(opened.url).port, { flush: true });
  return opened;
}

function readPort(file: string): number | null {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
  } catch {
    return null;
  }
}
