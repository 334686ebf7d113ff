import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FollowProgress } from '@netd/engine';
import type { AnchorBlock, PresenceOptions, StartFrom } from '@netd/sync';
import {
  FOLLOWER_FACTS,
  followOrigins,
  serveFollower,
  type FollowerDir,
  type RunningNode,
} from '@netd/node';
import { VERSION } from '@netd/protocol/version';
import { Option, type Command } from 'commander';
import { UsageError } from '../command-error.ts';
import { addLogOptions, errorLog, type LogOptions } from '../error-log.ts';
import {
  addNodeLimitOptions,
  LIVE_LIMITS,
  nodeLimits,
  nodeRates,
  type NodeLimitOptions,
} from '../limit-options.ts';
import { openKey } from '../open-key.ts';
import { countryCode, hash, httpUrl, httpUrls, wholeNumber } from '../option-values.ts';
import { ProgressBar, type Screen, screenOf } from '../progress-bar.ts';
import { jsonText } from '../printable.ts';
import { Restoring } from '../restoring.ts';
import type { Role, Starting } from '../roles.ts';
import { serviceManager } from '../service-manager.ts';
import { stopSignal } from '../stop-signal.ts';
import { trustedBlock, trustedValidators } from '../trust-options.ts';

interface FollowOptions extends LogOptions, NodeLimitOptions {
  port: number;
  host: string;
  dataDir: string;
  origins?: string[];
  genesisHash?: string;
  checkpoint?: AnchorBlock;
  validators?: string;
  from?: StartFrom;
  publicUrl?: string;
  key?: string;
  region?: string;
  countryCode?: string;
  faultDomain?: string;
  forwardWrites?: boolean;
}

export function configure(command: Command): void {
  addFollowOptions(command)
    .argument(
      '[origins...]',
      'nodes to follow; none to continue with the stored ones',
      (text: string, before: string[] | undefined) => [...(before ?? []), httpUrl(text)],
    )
    .action((origins: string[] | undefined, options: FollowOptions) =>
      follow({ ...options, ...(origins === undefined ? {} : { origins }) }),
    );
}

/** The role that `netd follow` is a short form of. */
export const FOLLOWER: Role<FollowOptions> = {
  addOptions: (command) =>
    addFollowOptions(command).addOption(
      new Option(
        '--origins <urls>',
        'nodes to follow; none to continue with the stored ones',
      ).argParser(httpUrls),
    ),
  notHere: {},
  dataDirIs: "the directory of the follower's copy",
  paths: ['key', 'validators'],
  live: ['logLevel', ...LIVE_LIMITS, 'origins'],
  requireStartable: ({ dataDir, origins = [] }) => {
    if (origins.length > 0 || existsSync(join(dataDir, FOLLOWER_FACTS))) return;
    throw new UsageError(`there is no follower in ${dataDir}: name at least one of "origins"`);
  },
  run: follow,
};

function addFollowOptions(command: Command): Command {
  addLogOptions(command)
    .addOption(
      new Option('-p, --port <number>', 'port to listen on, 0 for any free one')
        .env('NET_FOLLOW_PORT')
        .default(8430)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on')
        .env('NET_FOLLOW_HOST')
        .default('127.0.0.1'),
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'directory of the chain')
        .env('NET_FOLLOW_DATA_DIR')
        .default('.netd-follow'),
    )
    .addOption(
      new Option('--genesis-hash <hash>', 'the genesis hash you trust')
        .env('NET_GENESIS_HASH')
        .argParser(hash),
    )
    .addOption(
      new Option('--checkpoint <height:hash>', 'a block of the chain that you trust')
        .env('NET_TRUSTED_BLOCK')
        .argParser(trustedBlock),
    )
    .addOption(
      new Option('--validators <file|hash>', 'the validator set that you trust')
        .env('NET_TRUSTED_VALIDATORS')
        .argParser(trustedValidators),
    )
    .addOption(
      new Option(
        '--from <start>',
        'start of a new follower; without it, a checkpoint if its origins are far ahead',
      )
        .env('NET_FOLLOW_FROM')
        .choices(['genesis', 'checkpoint']),
    )
    .addOption(
      new Option(
        '--public-url <url>',
        'address by which others reach this node, if not host and port',
      )
        .env('NET_FOLLOW_PUBLIC_URL')
        .argParser(httpUrl),
    )
    .addOption(
      new Option(
        '--key <file>',
        'key file of an agent, or of a session of it: signs heartbeats, so that /v1/nodes shows this follower',
      ).env('NET_FOLLOW_KEY'),
    )
    .option('--region <label>', 'region of the follower, for its heartbeats')
    .addOption(
      new Option(
        '--country-code <code>',
        'country of the follower, for its heartbeats: two capital letters (ISO 3166-1)',
      ).argParser(countryCode),
    )
    .option(
      '--fault-domain <label>',
      'machines that may fail with this follower, such as a data center, for its heartbeats',
    )
    .addOption(
      new Option(
        '--forward-writes',
        'forward writes to the origins unchanged, instead of refusing them',
      ).env('NET_FOLLOW_FORWARD_WRITES'),
    );
  return addNodeLimitOptions(command);
}

async function follow(
  options: FollowOptions,
  { json, onLive }: Partial<Starting<FollowOptions>> = {},
): Promise<void> {
  const { origins = [] } = options;
  const log = errorLog(options);
  const manager = serviceManager(log);
  const screen = screenOf(log);
  const bar = new ProgressBar('catching up', screen);
  const catchUp = new CatchUp(bar);
  const presence = await presenceOf(options);
  const restoring = new Restoring(screen);
  const history = new History(screen);
  const halt = Promise.withResolvers<never>();
  halt.promise.catch(() => {});
  // Listen from the start, because a restore takes minutes and must also stop cleanly.
  const end = new AbortController();
  const stop = stopSignal().then(() => end.abort());
  const starting = serveFollower({
    signal: end.signal,
    host: options.host,
    port: options.port,
    dataDir: options.dataDir,
    origins,
    logger: log,
    onProgress: (progress) => catchUp.update(progress),
    onRestore: (progress) => restoring.update(progress),
    onFallback: (reason) => {
      restoring.stop();
      log.warn(`${reason}: the follower begins at genesis, and executes every block`);
    },
    onHistory: (from) => history.update(from),
    onBan: (url, reason) =>
      log.warn({ issue: 'origin-banned' }, `${url} is not asked any more: ${reason}`),
    onHalt: (error) => halt.reject(error),
    ...(presence === null ? {} : { presence }),
    ...(options.forwardWrites === undefined ? {} : { forwardWrites: options.forwardWrites }),
    ...(options.genesisHash === undefined ? {} : { genesisHash: options.genesisHash }),
    ...(options.checkpoint === undefined ? {} : { trustedBlock: options.checkpoint }),
    ...(options.validators === undefined ? {} : { validatorSetHash: options.validators }),
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...nodeLimits(options),
  });
  const running = await starting.catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
    return null;
  });
  if (running === null) {
    restoring.stop();
    console.log(
      'Stopped before the follower was ready. netd follow goes on with what has been fetched.',
    );
    return;
  }
  console.log(json === true ? jsonText(factsOf(running)) : greeting(running, options));
  manager.ready(`${running.node.chain.identity.chainId} at ${running.publicUrl}`);
  const apply = async (other: FollowOptions): Promise<void> => {
    // First, because it refuses origins of another chain.
    await followOrigins(running, { ...other, origins: other.origins ?? [] });
    running.setLimits(nodeRates(other));
  };
  const unhook = onLive?.({ log, manager, apply });
  try {
    await Promise.race([stop, halt.promise]);
  } finally {
    unhook?.();
    manager.stopping();
    bar.stop();
    history.stop();
    await running.stop();
  }
  if (json === true) return;
  console.log(`Stopped at height ${running.node.chain.height}. The next start continues.`);
}

const factsOf = ({ node, url, publicUrl }: RunningNode<FollowerDir>): object => ({
  schema: 'NET-DEV/1',
  version: VERSION,
  pid: process.pid,
  url,
  publicUrl,
  chainId: node.chain.identity.chainId,
  height: node.chain.height,
  dataDir: node.dataDir.path,
});

/** Returns the agent that sends this follower's heartbeats; null if no key is given. */
async function presenceOf(options: FollowOptions): Promise<PresenceOptions | null> {
  const { key: path, publicUrl, region, countryCode: country, faultDomain } = options;
  const declared = { region, countryCode: country, faultDomain };
  if (path === undefined) {
    const idle = Object.values(declared).some((value) => value !== undefined);
    if (idle)
      throw new UsageError(
        'heartbeats carry the location of a follower: name a --key that signs them',
      );
    return null;
  }
  const { key, ...owner } = await openKey(path);
  return {
    key: { ...owner, sign: (envelope) => key.sign(envelope) },
    declared: {
      ...declared,
      // Only https addresses are offered to others. A follower without one is only counted.
      ...(publicUrl?.startsWith('https:') ? { endpoint: publicUrl } : {}),
    },
  };
}

const FEW_BLOCKS = 20;

class CatchUp {
  private readonly bar: ProgressBar;
  private target = 0;

  constructor(bar: ProgressBar) {
    this.bar = bar;
  }

  update({ height, target, transitions }: FollowProgress): void {
    if (this.target === 0) {
      if (target - height < FEW_BLOCKS) return;
      this.target = target;
      this.bar.start(target, height);
    }
    this.bar.update(height, `${transitions} transitions`);
    if (height < this.target) return;
    this.bar.stop();
    this.target = 0;
    console.log(
      `  Caught up at height ${height}: ${transitions} transitions verified and executed.`,
    );
  }
}

function startOf(height: number, from: number): string {
  if (from > 0)
    return `from the state of a checkpoint, at height ${height}; blocks before ${from} are being fetched`;
  return height === 0 ? 'a new follower' : `going on at height ${height}`;
}

function anchorOf({ anchor, anchored }: FollowerDir, height: number): string {
  if (!anchored) {
    return 'self-consistent: name --genesis-hash, --checkpoint or --validators to be sure that it is the chain you mean';
  }
  const parts = [
    ...(anchor.genesisHash === undefined ? [] : ['the genesis']),
    ...(anchor.block === undefined ? [] : [`block ${anchor.block.height}`]),
    ...(anchor.validatorSetHash === undefined ? [] : ['the validators']),
  ];
  const isAhead = anchor.block !== undefined && anchor.block.height > height;
  const later = isAhead ? ', which the follower compares when it gets there' : '';
  return `${parts.join(' and ')} you trust${later}`;
}

class History {
  private readonly bar: ProgressBar;
  private first = 0;

  constructor(screen: Screen) {
    this.bar = new ProgressBar('fetching earlier blocks', screen, 'block');
  }

  update(from: number): void {
    if (this.first === 0) {
      this.first = from;
      this.bar.start(from);
    }
    this.bar.update(this.first - from, `from height ${from} on all are here`);
    if (from > 0) return;
    this.stop();
    console.log('  Every block since genesis is here. netd verify executes them all.');
  }

  stop(): void {
    this.bar.stop();
  }
}

function greeting(
  { node, url, publicUrl }: RunningNode<FollowerDir>,
  { key, forwardWrites }: FollowOptions,
): string {
  const { chain, dataDir } = node;
  const { from } = node.store.history();
  const seen =
    key === undefined ? 'not listed: name a --key to appear in /v1/nodes' : 'in /v1/nodes';
  const writes = forwardWrites ? 'hands writes on to its origins' : 'takes no writes';
  return `
  netd ${VERSION}  follows ${chain.identity.chainId}, ${startOf(chain.height, from)}

  Open     ${publicUrl === url ? url : `${publicUrl} (${url})`}
  Origins  ${dataDir.origins.join(' ')}
  Anchor   ${anchorOf(dataDir, chain.height)}
  Data     ${dataDir.path}
  Seen     ${seen}

  It serves every read and ${writes}. Ctrl-C stops it; the next start continues.
`;
}
