import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  DEFAULT_LIMITS,
  failpointFromEnvironment,
  serveBlobs,
  type BlobLimits,
  type BucketOptions,
  type RunningBlobs,
} from '@netd/blobs';
import { lockDataDir } from '@netd/node/data-dir-lock';
import { maxOpenFiles } from '@netd/server/open-files';
import { Option, type Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { writeFacts } from '../write-facts.ts';
import { addLogOptions, errorLog, type LogOptions } from '../error-log.ts';
import { addLimitOptions, connectionLimits, type LimitOptions } from '../limit-options.ts';
import { httpOrigin, httpUrl, wholeNumber } from '../option-values.ts';
import { jsonText } from '../printable.ts';
import type { Role, Starting } from '../roles.ts';
import { serviceManager } from '../service-manager.ts';
import { stopSignal } from '../stop-signal.ts';

interface BlobsOptions extends LogOptions, LimitOptions {
  port: number;
  host: string;
  dataDir: string;
  nodeUrl: string;
  publicUrl?: string;
  maxMib: number;
  unprovenMib?: number;
  unprovenNameMib: number;
  unprovenHours: number;
  dailyMib: number;
  bucket?: string;
  bucketRegion: string;
  maxUploads: number;
  addressUploads: number;
  maxDownloads: number;
  addressDownloads: number;
}

const MIB = 1024 * 1024;
const HOUR_MILLISECONDS = 3_600_000;

export function configure(command: Command): void {
  addBlobsOptions(command).action((options: BlobsOptions) => blobs(options));
}

/** The role that `netd blobs` is a short form of. */
export const BLOB_STORE: Role<BlobsOptions> = {
  addOptions: addBlobsOptions,
  notHere: {},
  dataDirIs: 'directory of blobs and their catalog',
  live: ['logLevel', 'writeRate'],
  requireStartable: (options) => void bucketOf(options),
  run: blobs,
};

function addBlobsOptions(command: Command): Command {
  addLogOptions(command)
    .addOption(
      new Option('-p, --port <number>', 'port to listen on, 0 for any free one')
        .env('NET_BLOBS_PORT')
        .default(8421)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on')
        .env('NET_BLOBS_HOST')
        .default('127.0.0.1'),
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'directory of blobs and their catalog')
        .env('NET_BLOBS_DATA_DIR')
        .default('.netd-blobs'),
    )
    .addOption(
      new Option('--node-url <url>', 'the node that knows the keys of the agents')
        .env('NET_URL')
        .default('http://127.0.0.1:8420')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--public-url <url>', 'the origin that others use, if not host and port')
        .env('NET_BLOBS_PUBLIC_URL')
        .argParser(httpOrigin),
    )
    .addOption(
      new Option('--max-mib <number>', 'MiB stored in all; beyond it uploads get 507')
        .env('NET_BLOBS_MAX_MIB')
        .default(10_240)
        .argParser(wholeNumber(1, 1_000_000_000)),
    )
    .addOption(
      new Option(
        '--unproven-mib <number>',
        'MiB for all names without paid or funded work (default: a quarter of --max-mib); beyond it their uploads get 507',
      )
        .env('NET_BLOBS_UNPROVEN_MIB')
        .argParser(wholeNumber(1, 1_000_000_000)),
    )
    .addOption(
      new Option('--unproven-name-mib <number>', 'MiB for one such name')
        .env('NET_BLOBS_UNPROVEN_NAME_MIB')
        .default(DEFAULT_LIMITS.unprovenBytesOfAgent / MIB)
        .argParser(wholeNumber(1, 1_000_000_000)),
    )
    .addOption(
      new Option(
        '--unproven-hours <number>',
        'hours until a blob of such a name is removed if no live record names it',
      )
        .env('NET_BLOBS_UNPROVEN_HOURS')
        .default(DEFAULT_LIMITS.unprovenTime / HOUR_MILLISECONDS)
        .argParser(wholeNumber(1, 87_600)),
    )
    .addOption(
      new Option('--daily-mib <number>', 'MiB an agent may upload in a day')
        .env('NET_BLOBS_DAILY_MIB')
        .default(256)
        .argParser(wholeNumber(1, 1_000_000_000)),
    )
    .addOption(
      new Option(
        '--bucket <url>',
        'keep blobs in this S3-compatible bucket, https://endpoint/name; keys in NET_BLOBS_BUCKET_KEY_ID and _SECRET',
      )
        .env('NET_BLOBS_BUCKET')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--bucket-region <name>', 'region of the bucket')
        .env('NET_BLOBS_BUCKET_REGION')
        .default('auto'),
    )
    .addOption(
      new Option('--max-uploads <number>', 'uploads at once')
        .env('NET_BLOBS_MAX_UPLOADS')
        .default(DEFAULT_LIMITS.uploads)
        .argParser(wholeNumber(1, 100_000)),
    )
    .addOption(
      new Option('--address-uploads <number>', 'uploads of one address at once')
        .env('NET_BLOBS_ADDRESS_UPLOADS')
        .default(DEFAULT_LIMITS.uploadsOfAddress)
        .argParser(wholeNumber(1, 100_000)),
    )
    .addOption(
      new Option('--max-downloads <number>', 'downloads at once')
        .env('NET_BLOBS_MAX_DOWNLOADS')
        .default(DEFAULT_LIMITS.downloads)
        .argParser(wholeNumber(1, 100_000)),
    )
    .addOption(
      new Option('--address-downloads <number>', 'downloads of one address at once')
        .env('NET_BLOBS_ADDRESS_DOWNLOADS')
        .default(DEFAULT_LIMITS.downloadsOfAddress)
        .argParser(wholeNumber(1, 100_000)),
    );
  return addLimitOptions(command);
}

async function blobs(
  options: BlobsOptions,
  { json, onLive }: Partial<Starting<BlobsOptions>> = {},
): Promise<void> {
  const log = errorLog(options);
  const manager = serviceManager(log);
  const dataDir = resolve(options.dataDir);
  const facts = join(dataDir, 'blobs.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(dataDir, 'store');
  rmSync(facts, { force: true });
  try {
    const bucket = bucketOf(options);
    const running = await serveBlobs({
      host: options.host,
      port: options.port,
      dataDir,
      nodeUrl: options.nodeUrl,
      limits: limitsOf(options),
      openFiles: maxOpenFiles(),
      logger: log,
      reach: failpointFromEnvironment(process.env['NET_FAILPOINT']),
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
      ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
      ...(bucket === null ? {} : { bucket }),
    });
    const stop = stopSignal('letting transfers end');
    let unhook: (() => void) | undefined;
    try {
      writeFacts(facts, factsOf(running, options, dataDir));
      if (json === true) console.log(jsonText(factsOf(running, options, dataDir)));
      else console.log(greeting(running, options, dataDir));
      manager.ready(`blobs at ${running.publicUrl}`);
      unhook = onLive?.({
        log,
        manager,
        apply: ({ writeRate }) => running.setWriteRate(writeRate),
      });
      await stop;
    } finally {
      unhook?.();
      manager.stopping();
      rmSync(facts, { force: true });
      await running.stop();
    }
    if (json !== true) console.log('Stopped. netd blobs continues with the stored blobs.');
  } finally {
    unlock();
  }
}

function limitsOf(options: BlobsOptions): Partial<BlobLimits> {
  const { writeRate, unprovenMib } = options;
  return {
    storageBytes: options.maxMib * MIB,
    ...(unprovenMib === undefined ? {} : { unprovenBytes: unprovenMib * MIB }),
    unprovenBytesOfAgent: options.unprovenNameMib * MIB,
    unprovenTime: options.unprovenHours * HOUR_MILLISECONDS,
    dailyBytes: options.dailyMib * MIB,
    uploads: options.maxUploads,
    uploadsOfAddress: options.addressUploads,
    downloads: options.maxDownloads,
    downloadsOfAddress: options.addressDownloads,
    ...(writeRate === undefined ? {} : { writesPerMinute: writeRate }),
    ...connectionLimits(options),
  };
}

function bucketOf({ bucket, bucketRegion }: BlobsOptions): BucketOptions | null {
  if (bucket === undefined) return null;
  const accessKeyId = process.env['NET_BLOBS_BUCKET_KEY_ID'];
  const secretAccessKey = process.env['NET_BLOBS_BUCKET_SECRET'];
  if (!accessKeyId || !secretAccessKey) {
    throw new CommandError('--bucket needs NET_BLOBS_BUCKET_KEY_ID and NET_BLOBS_BUCKET_SECRET');
  }
  return { url: bucket, region: bucketRegion, accessKeyId, secretAccessKey };
}

function factsOf(
  { url, httpsUrl, fingerprint, publicUrl, service }: RunningBlobs,
  { nodeUrl }: BlobsOptions,
  dataDir: string,
): Record<string, unknown> {
  const { kind } = service.parts.storage;
  return {
    schema: 'NET-BLOBS/1',
    pid: process.pid,
    url,
    publicUrl,
    httpsUrl,
    certificateFingerprint: fingerprint,
    nodeUrl,
    dataDir,
    storage: kind,
  };
}

function greeting(
  { url, httpsUrl, fingerprint, service }: RunningBlobs,
  { nodeUrl, bucket }: BlobsOptions,
  dataDir: string,
): string {
  const { blobs: count } = service.parts.catalogue.totals();
  const https = httpsUrl
    ? `\n  HTTPS   ${httpsUrl}, the same port\n          certificate SHA-256 ${fingerprint}`
    : '';
  return `
  netd blobs: ${count} stored

  Open    ${url}/blobs/<sha256>${https}
  Keys    of the agents of ${nodeUrl}
  Data    ${dataDir}  (facts for scripts in blobs.json)${bucket === undefined ? '' : `\n  Bucket  ${bucket}`}

  Ctrl-C stops it; the next start continues.
`;
}
