/** `netd follow`: a copy of a chain that nobody can lie to. */
import { serveFollower, type FollowProgress, type FollowerDir, type RunningNode } from '@netd/node';
import { VERSION } from '@netd/node/version';
import { Option, type Command } from 'commander';
import { pino } from 'pino';
import { EXIT } from '../exit-codes.ts';
import { hash, httpUrl, wholeNumber } from '../option-values.ts';
import { ProgressBar } from '../progress-bar.ts';

interface FollowOptions {
  port: number;
  host: string;
  dataDir: string;
  genesisHash?: string;
  publicUrl?: string;
  trustProxy?: boolean;
  logLevel: string;
}

export function configure(command: Command): void {
  command
    .argument(
      '[origins...]',
      'nodes to follow; none to go on with those of the last time',
      (text: string, before: string[] | undefined) => [...(before ?? []), httpUrl(text)],
    )
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
      new Option('-d, --data-dir <path>', 'where the copy lies')
        .env('NET_FOLLOW_DATA_DIR')
        .default('.netd-follow'),
    )
    .addOption(
      new Option('--genesis-hash <hash>', 'the genesis hash you trust')
        .env('NET_GENESIS_HASH')
        .argParser(hash),
    )
    .addOption(
      new Option('--public-url <url>', 'how others reach this node, if not by host and port')
        .env('NET_FOLLOW_PUBLIC_URL')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--trust-proxy', 'believe X-Forwarded-For of a reverse proxy').env(
        'NET_TRUST_PROXY',
      ),
    )
    .addOption(
      new Option('--log-level <level>', 'how much to log to standard error')
        .env('NET_LOG_LEVEL')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .action(follow);
}

async function follow(origins: string[] | undefined, options: FollowOptions): Promise<void> {
  const bar = new ProgressBar('catching up', process.stderr);
  const catchUp = new CatchUp(bar);
  const halt = Promise.withResolvers<never>();
  halt.promise.catch(() => {});
  const running = await serveFollower({
    host: options.host,
    port: options.port,
    dataDir: options.dataDir,
    origins: origins ?? [],
    logger: pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: true })),
    onProgress: (progress) => catchUp.update(progress),
    onDrop: (url, reason) => console.error(`netd: ${url} is not asked any more: ${reason}`),
    onFork: ({ height, reason }) =>
      console.error(
        `netd: the validators of this chain contradict themselves at height ${height} (${reason}). This copy goes no further; /health says where the evidence lies.`,
      ),
    onHalt: (error) => halt.reject(error),
    ...(options.genesisHash === undefined ? {} : { genesisHash: options.genesisHash }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
  });
  console.log(greeting(running));
  const stop = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(EXIT.interrupted));
        resolve();
      });
    }
  });
  try {
    await Promise.race([stop, halt.promise]);
  } finally {
    bar.stop();
    await running.stop();
  }
  console.log(`Stopped at height ${running.node.chain.height}. netd follow goes on from there.`);
}

const FEW_BLOCKS = 20;

/** The bar shows while the copy is more than a few blocks behind, and says when it is not any more. */
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
      this.bar.start(target);
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

function greeting({ node, url, publicUrl }: RunningNode<FollowerDir>): string {
  const { chain, dataDir } = node;
  const anchor = dataDir.anchored
    ? 'the genesis you trust'
    : 'self-consistent: name --genesis-hash to be sure that it is the chain you mean';
  return `
  netd ${VERSION}  follows ${chain.identity.chainId}, ${chain.height === 0 ? 'a new copy' : `going on at height ${chain.height}`}

  Open     ${publicUrl === url ? url : `${publicUrl} (${url})`}
  Origins  ${dataDir.origins.join(' ')}
  Anchor   ${anchor}
  Data     ${dataDir.path}

  It serves every read and takes no writes. Ctrl-C stops it; the next start goes on where it was.
`;
}
