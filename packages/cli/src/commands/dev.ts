import { existsSync, fstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operatorKeyFault, readGenesis, serve, type NetNode, type RunningNode } from '@netd/node';
import { sharedIdWarning } from '@netd/node/chain-ids';
import { VERSION } from '@netd/protocol/version';
import { chainId, httpUrl, origins, uniqueOption, wholeNumber } from '../option-values.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Logger } from 'pino';
import { CommandError, explained, reportError, sentenceOf } from '../command-error.ts';
import { addLogOptions, errorLog, type LogOptions } from '../error-log.ts';
import { IS_INSTALLED } from '../installed.ts';
import { addForkOptions, forkFrom, type ForkOptions } from '../fork-options.ts';
import {
  addNodeLimitOptions,
  LIVE_LIMITS,
  nodeLimits,
  nodeRates,
  type NodeLimitOptions,
} from '../limit-options.ts';
import { leaveControlToken } from '../control-token.ts';
import type { BlobsFacts } from '../dev/blobs-process.ts';
import type { RunningHouse } from '../dev/house.ts';
import type { Terminal } from '../dev/terminal.ts';
import { DemoLink } from '../dev/demo-link.ts';
import { writeFacts } from '../write-facts.ts';
import { programName } from '../program-name.ts';
import type { Role, Starting } from '../roles.ts';
import { serviceManager } from '../service-manager.ts';
import { stopSignal } from '../stop-signal.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../examples', import.meta.url)).replace(
  /[^\w./:\\-]/g,
  '\\$&',
);

interface DevOptions extends LogOptions, NodeLimitOptions, ForkOptions {
  port: number;
  host: string;
  dataDir: string;
  publicUrl?: string;
  blockTime: number;
  chainId?: string;
  unique?: boolean;
  open?: boolean;
  lab?: boolean;
  temporary?: boolean;
  json?: boolean;
  discoveryRate?: number;
  allowedHosts?: string[];
  allowedOrigins?: string[];
  trustedStores?: string[];
  house: 'staffed' | 'none';
  probe?: string;
  quiet?: boolean;
  demo?: boolean;
}

export function configure(command: Command): void {
  addForkOptions(addNodeOptions(command))
    .addOption(
      new Option(
        '--temporary',
        'data in a folder that is deleted at the end, which is also that of standard input if it is a pipe',
      ).conflicts('dataDir'),
    )
    .option('--json', 'print the facts of dev.json as a line of JSON instead of the greeting')
    .addOption(new Option('-q, --quiet', 'print no line for each event').env('NET_QUIET'))
    .option('--demo', 'play the demo on it first, as netd demo does; the node stays up')
    .action(dev);
}

function addNodeOptions(command: Command): Command {
  addLogOptions(command)
    .addOption(
      new Option('-p, --port <number>', 'port to listen on, 0 for any free one')
        .env('NET_PORT')
        .default(8420)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on').env('NET_HOST').default('127.0.0.1'),
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'directory of keys, chain and genesis')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .addOption(
      new Option(
        '--public-url <url>',
        'address by which others reach this node, if not host and port',
      )
        .env('NET_PUBLIC_URL')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('--block-time <ms>', 'milliseconds between blocks while envelopes wait')
        .env('NET_BLOCK_TIME')
        .default(100)
        .argParser(wholeNumber(1, 60_000)),
    )
    .addOption(
      new Option('--chain-id <id>', 'id of a new chain (default: one of its own, by chance)')
        .env('NET_CHAIN_ID')
        .argParser(chainId),
    )
    .addOption(uniqueOption().env('NET_UNIQUE_CHAIN_ID'))
    .addOption(
      new Option('--open', 'a new chain whose genesis allows unsigned payloads; loopback only').env(
        'NET_OPEN',
      ),
    )
    .addOption(
      new Option(
        '--lab',
        'a chain for tests, whose blocks and time obey netd lab and /v1/lab; loopback only',
      ).env('NET_LAB'),
    )
    .addOption(
      new Option('--discovery-rate <number>', 'MCP and A2A requests per minute and address, each')
        .env('NET_DISCOVERY_RATE')
        .argParser(wholeNumber(1, 1_000_000)),
    )
    .addOption(
      new Option('--allowed-hosts <names>', 'names besides the public URL that /mcp answers to')
        .env('NET_ALLOWED_HOSTS')
        .argParser(hostNames),
    )
    .addOption(
      new Option('--allowed-origins <names>', 'hosts whose pages may call /mcp from a browser')
        .env('NET_ALLOWED_ORIGINS')
        .argParser(hostNames),
    )
    .addOption(
      new Option(
        '--trusted-stores <origins>',
        'stores on this machine or in private networks that the house may ask when agents name them',
      )
        .env('NET_TRUSTED_STORES')
        .argParser(origins),
    )
    .addOption(
      new Option(
        '--house <staff>',
        'the agents that run from the start: verifiers, a requester, an echo and blob stores, or none',
      )
        .env('NET_HOUSE')
        .choices(['staffed', 'none'])
        .default('staffed'),
    );
  command.addOption(
    new Option(
      '--probe <name>',
      'name of a house agent that measures jurors: half of its results are wrong (choose a neutral name)',
    ).env('NET_PROBE'),
  );
  return addNodeLimitOptions(command);
}

async function dev(given: DevOptions): Promise<void> {
  if (given.temporary !== true) {
    await run(given);
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-'));
  try {
    await run({ ...given, dataDir });
  } finally {
    process.stdin.destroy();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The role that `netd dev` is the quick start of. */
export const WRITER: Role<DevOptions> = {
  addOptions: addNodeOptions,
  notHere: {
    lab: 'a laboratory is for tests: netd dev --lab',
    open: 'open mode is for one machine: netd dev --open',
    chainId: 'dataDir sets the chain; netd genesis new begins one with this id',
    unique: 'dataDir sets the chain; netd genesis new --unique begins one with a suffix to its id',
    temporary: 'netd dev --temporary keeps nothing; name a dataDir',
    json: 'for a log of JSON, set "logFormat": "json"',
    demo: 'run netd demo beside the running node',
  },
  defaults: { house: 'none' },
  dataDirIs: 'the directory that netd genesis new has made',
  live: ['logLevel', ...LIVE_LIMITS, 'discoveryRate', 'allowedHosts', 'allowedOrigins'],
  requireStartable: requireChain,
  run: (options, { json, onLive }) =>
    run({ ...options, ...(json === true ? { json } : {}) }, { command: 'netd run', onLive }),
};

/** Prevents a wrong path from starting a new chain. */
function requireChain({ dataDir }: DevOptions): void {
  const refuse = (sentence: string): never => {
    throw new CommandError(sentence, 'CONFIG_INVALID', 'usage');
  };
  const path = join(dataDir, 'genesis.json');
  const genesis = existsSync(path) ? readGenesis(path) : null;
  if (!genesis) {
    return refuse(
      `there is no chain in ${dataDir}: begin one with netd genesis new --data-dir ${dataDir}, or put the right dataDir into the file`,
    );
  }
  if (!genesis.open && genesis.laboratory !== true) return;
  const kind = genesis.open ? 'chain in open mode' : 'laboratory';
  refuse(`${dataDir} holds a ${kind}, which is for one machine: go on with netd dev`);
}

const liveLimits = (options: DevOptions): Parameters<RunningNode['setLimits']>[0] => ({
  ...nodeRates(options),
  ...(options.discoveryRate === undefined ? {} : { discoveryPerMinute: options.discoveryRate }),
  allowed: { hosts: options.allowedHosts ?? [], origins: options.allowedOrigins ?? [] },
});

type ByFile = Pick<Starting<DevOptions>, 'onLive'> & { command: string };

async function run(options: DevOptions, byFile?: ByFile): Promise<void> {
  const halt = Promise.withResolvers<never>();
  // The promise is awaited below. Until then a rejection must not count as unhandled.
  halt.promise.catch(() => {});
  const log = errorLog(options);
  // Listen for signals before a slow fork, and before the greeting: its reader may stop the node at once.
  const stop = stopSignal('committing pending envelopes');
  const ends = [stop, ...(options.temporary === true ? [inputEnd()] : [])];
  const manager = serviceManager(log);
  const controlToken = process.env['NET_CONTROL_TOKEN'];
  const end = new AbortController();
  let stores: readonly BlobsFacts[] = [];
  const demo = new DemoLink(() => playDemo(running.node.dataDir.path, end.signal));
  const signal = beginning(ends, options.forkFrom !== undefined);
  const running = await serve({
    signal,
    host: options.host,
    port: options.port,
    dataDir: options.dataDir,
    blockTime: options.blockTime,
    logger: log,
    failpoint: process.env['NET_FAILPOINT'],
    ...(controlToken ? { controlToken } : {}),
    ...(byFile ? {} : { demo }),
    ownStores: () => stores.map((store) => store.url),
    onHalt: (error) => halt.reject(error),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
    ...(options.unique === undefined ? {} : { unique: options.unique }),
    ...(options.open === undefined ? {} : { open: options.open }),
    laboratory: options.lab ?? false,
    ...forkFrom(options, signal),
    ...nodeLimits(options),
    ...liveLimits(options),
  });
  const takeControlTokenBack = leaveControlToken(running);
  const { dataDir } = running.node;
  const idWarning = sharedIdWarning(dataDir.genesis.chainId);
  if (idWarning !== null) log.warn(idWarning);
  const devJson = join(dataDir.path, 'dev.json');
  const onBlobs = (blobs: BlobsFacts[]): void => {
    stores = blobs;
    writeFacts(devJson, devFacts(running, blobs));
  };
  try {
    onBlobs([]);
    if (options.json === true) console.log(JSON.stringify(devFacts(running, [])));
    else console.log(byFile ? oneLine(running) : greeting(running, options, demo));
    manager.ready(statusOf(running));
    const apply = (other: DevOptions): void => running.setLimits(liveLimits(other));
    const unhook = byFile?.onLive?.({ log, manager, apply });
    const company = bringToLife(running, options, { onBlobs, signal: end.signal, log });
    if (options.demo === true) demo.start(demo.token);
    try {
      await Promise.race([...ends, halt.promise]);
    } finally {
      unhook?.();
      manager.stopping();
      end.abort();
      await demo.played;
      await (await company)?.stop();
      rmSync(devJson, { force: true });
    }
  } finally {
    takeControlTokenBack();
    await running.stop();
  }
  if (options.temporary === true || options.json === true) return;
  const command = byFile?.command ?? 'netd dev';
  console.log(`Stopped at height ${running.node.chain.height}. ${command} goes on from there.`);
}

function beginning(ends: readonly Promise<void>[], isFork: boolean): AbortSignal {
  const begin = new AbortController();
  const sentence = isFork
    ? 'stopped before the fork had begun: the same command goes on with its download'
    : 'stopped before the node had started: the next start does again what was not finished';
  void Promise.race(ends).then(() =>
    begin.abort(new CommandError(sentence, 'STOPPED', 'interrupted')),
  );
  return begin.signal;
}

const oneLine = ({ node, url, publicUrl, metricsUrl }: RunningNode): string =>
  `netd ${VERSION}  ${node.chain.identity.chainId} at height ${node.chain.height}, ${publicUrl} (${url})${metricsUrl === null ? '' : `, metrics ${metricsUrl}`}`;

function statusOf({ node, publicUrl }: RunningNode): string {
  return `${node.chain.identity.chainId} at ${publicUrl}`;
}

/** Resolves when a program closes the pipe on standard input. Never resolves without a pipe. */
function inputEnd(): Promise<void> {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return new Promise(() => {});
  return new Promise((resolve) => {
    process.stdin.on('error', () => resolve());
    process.stdin.on('close', () => resolve());
    process.stdin.resume();
  });
}

interface LifeOptions {
  log: Logger;
  onBlobs: (blobs: BlobsFacts[]) => void;
  signal: AbortSignal;
}

/** Starts the house and the event lines. The node continues if this fails. */
async function bringToLife(
  running: RunningNode,
  {
    house,
    trustedStores = [],
    forkFrom: origin,
    probe,
    quiet,
    json,
    demo,
    port,
    ...logging
  }: DevOptions,
  { onBlobs, signal, log }: LifeOptions,
): Promise<RunningHouse | null> {
  const { node, url } = running;
  const { logLevel, logFormat } = logging;
  try {
    const terminal =
      quiet === true || json === true || demo === true ? null : await followChain(node, signal);
    if (house === 'none' || signal.aborted) return null;
    const { startHouse } = await import('../dev/house.ts');
    return await startHouse({
      dataDir: node.dataDir,
      url,
      port,
      trustedStores,
      ...(origin === undefined ? {} : { forkFrom: origin }),
      ...(probe === undefined ? {} : { probe }),
      logOptions: { logLevel, ...(logFormat === undefined ? {} : { logFormat }) },
      log,
      onBlobs: (services) => {
        onBlobs(services);
        const places = services.map((service) => service.url).join(' and ');
        terminal?.say(`blobs are kept at ${places}: two names, one machine`);
      },
      say: (text) => terminal?.say(text),
    });
  } catch (error) {
    log.error({ err: explained(error) }, 'the agents of the house could not be started');
    return null;
  }
}

async function followChain(node: NetNode, signal: AbortSignal): Promise<Terminal> {
  const { Terminal: Lines } = await import('../dev/terminal.ts');
  const terminal = new Lines((line) => console.log(line));
  signal.addEventListener('abort', terminal.follow(node));
  return terminal;
}

/** Returns the reason if the demo failed, otherwise null. */
async function playDemo(dataDir: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { runDemo } = await import('../demo/run-demo.ts');
    await runDemo({ dataDir, signal, print: (text) => console.log(text) });
    console.log('  The node goes on; Ctrl-C stops it.\n');
    return null;
  } catch (error) {
    if (signal.aborted) return 'the node is stopping';
    reportError(error);
    return sentenceOf(error) ?? 'the terminal of netd dev shows why';
  }
}

function devFacts(
  { node, url, publicUrl, control }: RunningNode,
  blobs: BlobsFacts[],
): Record<string, unknown> {
  const { dataDir, chain } = node;
  return {
    schema: 'NET-DEV/1',
    version: VERSION,
    pid: process.pid,
    url,
    publicUrl,
    chainId: chain.identity.chainId,
    height: chain.height,
    dataDir: dataDir.path,
    genesisPath: join(dataDir.path, 'genesis.json'),
    operatorActorId: dataDir.operator.actorId,
    operatorKeyPath: dataDir.operatorKeyPath,
    validatorId: dataDir.validator.actorId,
    open: dataDir.genesis.open,
    laboratory: node.lab !== null,
    controlPath: control?.path ?? null,
    fork: dataDir.genesis.fork ?? null,
    blockTimeMs: node.blockTime,
    blobs,
  };
}

function greeting(
  { node, url, publicUrl, control }: RunningNode,
  { house, demo: isPlaying }: DevOptions,
  demo: DemoLink,
): string {
  const { dataDir, chain } = node;
  const here = (path: string): string => {
    const short = relative(process.cwd(), path);
    return short === '' || short.startsWith('..') ? path : short;
  };
  const began =
    chain.height === chain.identity.firstHeight
      ? 'a new chain'
      : `going on at height ${chain.height}`;
  const open = dataDir.genesis.open
    ? '\n  Open mode     orders and memory take payloads without a signature, from this machine and with its secret only'
    : '';
  const laboratory =
    node.lab === null
      ? ''
      : '\n  LABORATORY    a chain for tests: netd lab mines and moves its clock; its NET is worth nothing';
  const controlled = control
    ? `\n  By curl       ${curlLine(url, here(control.path), node.lab !== null)}`
    : '';
  const { fork } = dataDir.genesis;
  const forked = fork
    ? `\n  Fork          of ${fork.chainId} at block ${fork.height}: its agents and balances are here; nothing signed here counts there`
    : '';
  const staffed =
    house === 'none'
      ? ''
      : '\n  House         verifiers, a requester with jobs, an echo: agents of this operator, online in a moment';
  const environment = url === 'http://127.0.0.1:8420' ? '' : `NET_URL=${url} `;
  const other = url === 'http://127.0.0.1:8420' ? '' : ` --url ${url}`;
  // The example agent below needs the house's jobs and stores.
  const byHand = IS_INSTALLED
    ? ''
    : `, from the checkout, or anywhere after npm install -g ${publicUrl}/downloads/netd-${VERSION}.tgz`;
  const program = IS_INSTALLED ? programName() : 'npx netd';
  const byProgram =
    house === 'none'
      ? ''
      : `  An agent in twenty seconds, in another terminal and an empty folder (Python: ${url}/docs/guides/get-paid):
    npm install ${url}/downloads/net-sdk-${VERSION}.tgz
    cp ${EXAMPLES}/*.mjs .
    ${environment}node earn.mjs

`;
  return `
  netd ${VERSION}  ${chain.identity.chainId}, ${began}

  Open          ${publicUrl}${isPlaying === true ? '' : `\n  Demo          ${publicUrl}/#demo=${demo.token}  (one click starts it, once)`}
  Data          ${here(dataDir.path)}  (facts for scripts in dev.json)
  Operator key  ${operatorKeyFault(dataDir, node.store) ?? `${here(dataDir.operatorKeyPath)}  (keep it to yourself)`}${staffed}${open}${laboratory}${controlled}${forked}

${byProgram}  ${house === 'none' ? 'By hand' : 'Or by hand'}${byHand}:
    ${program} join my-agent "reads papers"${other}
    ${program} verify --url ${url}

  Ctrl-C stops it; the next start continues.
`;
}

function curlLine(url: string, controlPath: string, isLaboratory: boolean): string {
  const [path, body] = isLaboratory
    ? ['/v1/lab/mine', '{"blocks":1}']
    : ['/v1/work-orders', '{"requesterId":…}'];
  return `curl ${url}${path} -H "x-net-control: $(cat '${controlPath}')" -H 'content-type: application/json' -d '${body}'`;
}

function hostNames(text: string): string[] {
  return text.split(',').map((name) => {
    // Adding a port makes a name that already has one invalid.
    const address = `http://${name.trim()}:1`;
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url?.href !== `http://${url?.hostname}:1/`) {
      throw new InvalidArgumentError('Host names are needed, with commas between and no ports.');
    }
    return url.hostname;
  });
}
