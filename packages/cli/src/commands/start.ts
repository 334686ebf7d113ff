import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { requireCometDir, serveComet, type CometDir, type RunningNode } from '@netd/node';
import { VERSION } from '@netd/protocol/version';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError, isKnownError, UsageError } from '../command-error.ts';
import { writeFacts } from '../write-facts.ts';
import { addLogOptions, errorLog, type LogOptions } from '../error-log.ts';
import {
  addNodeLimitOptions,
  LIVE_LIMITS,
  nodeLimits,
  nodeRates,
  type NodeLimitOptions,
} from '../limit-options.ts';
import { httpUrl, httpUrls, wholeNumber } from '../option-values.ts';
import { factsText } from '../output.ts';
import { screenOf } from '../progress-bar.ts';
import { Restoring } from '../restoring.ts';
import type { Role, Starting } from '../roles.ts';
import { readConfig } from '../run-config.ts';
import { serviceManager } from '../service-manager.ts';
import { type OnceOptions, runByFile } from './run.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';

interface PlaceOptions {
  engine: 'cometbft';
  dataDir: string;
  genesis?: string;
  engineHome?: string;
  p2p: string;
  peers?: string[];
  peersOnly?: boolean;
  binary?: string;
  fullNode?: boolean;
  remoteSigner?: string;
  stateSync?: string[];
  blockTime: number;
  emptyBlocks: number;
  proposeTimeout: number;
  voteTimeout: number;
}

interface StartOptions extends PlaceOptions, LogOptions, NodeLimitOptions {
  port: number;
  host: string;
  publicUrl?: string;
}

const ONCE = ['config', 'checkConfig', 'onlyHere', 'json'];

const NOT_HERE: Readonly<Record<string, string>> = {
  fullNode: 'set "role": "full-node" instead',
  chainId: 'the chain is that of the genesis',
  house: 'the agents of the house are for netd dev and netd testnet',
  lab: 'a laboratory is for tests: netd dev --lab',
  validators:
    'those that sign are named in the genesis; peers are the nodes that this one connects to',
};

export function configure(command: Command, terminal: Terminal): void {
  addStartOptions(command)
    .option(
      '--full-node',
      'take part without a key: a sentry, or a follower that gets blocks at once',
    )
    .option('--config <file>', 'these options, in camel case, from a JSON object instead')
    .option(
      '--check-config',
      'with --config, check the file as netd config check does, and start nothing',
    )
    .option(
      '--only-here',
      'confirm that no other process signs with this key, after the data directory was moved',
    )
    .option('--json', 'print the facts of dev.json as a line of JSON when it answers')
    .action((options: StartOptions & OnceOptions & { config?: string }) =>
      start(command, options, terminal),
    );
}

function addStartOptions(command: Command): Command {
  addLogOptions(command)
    .addOption(
      new Option('--engine <engine>', 'engine that orders the blocks')
        .choices(['cometbft'])
        .default('cometbft'),
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'directory of keys, chain and genesis')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--genesis <file>', 'the genesis that all validators share; needed at the first start')
    .addOption(
      new Option('--p2p <host:port>', 'address at which the engines of peers connect')
        .default('127.0.0.1:26656')
        .argParser(address),
    )
    .addOption(
      new Option(
        '--peers <id@host:port>',
        'engines to connect to, separated by commas; its own may be among them',
      ).argParser(peers),
    )
    .option(
      '--peers-only',
      'refuse connections of all engines that are not in --peers: a validator behind its sentries',
    )
    .option(
      '--engine-home <path>',
      'directory for the files of the engine (default: cometbft/ in the data directory)',
    )
    .option('--binary <path>', 'the program of CometBFT (default: the one of netd engine install)')
    .addOption(
      new Option(
        '--remote-signer <address>',
        'address on which a signer with the key connects: host:port or unix://path',
      ).argParser(signerAddress),
    )
    .addOption(
      new Option(
        '--state-sync <urls>',
        'begin with a state of the peers instead of every block: HTTP addresses of nodes that report certified blocks, separated by commas',
      ).argParser(httpUrls),
    )
    .addOption(
      new Option('--block-time <ms>', 'pause after a block, in which more envelopes gather')
        .default(100)
        .argParser(wholeNumber(1, 60_000)),
    )
    .addOption(
      new Option(
        '--empty-blocks <ms>',
        'milliseconds between empty blocks of an idle engine, which keep its time current',
      )
        .default(5_000)
        .argParser(wholeNumber(100, 600_000)),
    )
    .addOption(
      new Option(
        '--propose-timeout <ms>',
        'how long to wait for the proposal of a round; more for validators far apart',
      )
        .default(1_000)
        .argParser(wholeNumber(100, 60_000)),
    )
    .addOption(
      new Option(
        '--vote-timeout <ms>',
        'how long to wait for late votes of a round; more for validators far apart',
      )
        .default(200)
        .argParser(wholeNumber(10, 60_000)),
    )
    .addOption(
      new Option('-p, --port <number>', 'port to listen on, 0 for any free one')
        .default(8420)
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      new Option(
        '--public-url <url>',
        'address by which others reach this node, if not host and port',
      ).argParser(httpUrl),
    );
  return addNodeLimitOptions(command);
}

function address(text: string): string {
  const [, port = ''] = /^(?:\[[\da-fA-F:]+\]|[^\s:/@]+):(\d{1,5})$/.exec(text) ?? [];
  if (Number(port) >= 1 && Number(port) <= 65_535) return text;
  throw new InvalidArgumentError('host:port is needed, for example 0.0.0.0:26656.');
}

const signerAddress = (text: string): string =>
  /^unix:\/\/\/./.test(text) ? text : `tcp://${address(text)}`;

function peers(text: string): string[] {
  return text.split(',').map((each) => {
    const [, place = ''] = /^\s*[0-9a-f]{40}@(\S+?)\s*$/.exec(each) ?? [];
    if (place === '') {
      throw new InvalidArgumentError(
        `"${each.trim()}" is no peer: id@host:port is needed, as netd engine init prints it, 40 hex digits before the @.`,
      );
    }
    address(place);
    return each.trim();
  });
}

const SERVED = {
  addOptions: addStartOptions,
  dataDirIs: 'the directory in which netd engine init has made the keys',
  paths: ['genesis', 'engineHome', 'binary'],
  live: ['logLevel', ...LIVE_LIMITS],
  requireStartable: async (options: StartOptions) => {
    const {
      binary,
      dataDir,
      genesis,
      fullNode,
      remoteSigner,
      peers: named = [],
      peersOnly,
    } = options;
    if (peersOnly === true && named.length === 0) {
      throw new UsageError('--peers-only refuses every node without --peers: name the sentries');
    }
    requireCometDir(resolve(dataDir), { genesisFile: genesis, fullNode, remoteSigner });
    await requireCometbft(binaryOf(binary));
  },
  run: serveNode,
} satisfies Partial<Role<StartOptions>>;

export const VALIDATOR: Role<StartOptions> = { ...SERVED, notHere: NOT_HERE };

export const FULL_NODE: Role<StartOptions> = {
  ...SERVED,
  notHere: { ...NOT_HERE, remoteSigner: 'a full node signs nothing; set "role": "validator"' },
  defaults: { fullNode: true },
};

const binaryOf = (binary?: string): string => resolve(binary ?? cometbftPath(defaultEngineDir()));

const BY_START = { command: 'netd start', roles: ['validator', 'full-node'] } as const;

async function start(
  command: Command,
  given: StartOptions & OnceOptions & { config?: string },
  terminal: Terminal,
): Promise<void> {
  const { config } = given;
  if (config !== undefined) {
    refuseBesideFile(command, config);
    await runByFile(() => readConfig(config, BY_START), given, terminal);
    return;
  }
  if (given.checkConfig === true) throw new UsageError('--check-config goes with --config');
  if (given.fullNode === true && given.remoteSigner !== undefined) {
    throw new UsageError('--full-node signs nothing, and --remote-signer is for a node that signs');
  }
  await SERVED.requireStartable(given);
  await serveNode(given, { terminal, onlyHere: given.onlyHere, json: given.json });
}

async function serveNode(
  options: StartOptions,
  { terminal, json, onlyHere, onLive }: Starting<StartOptions>,
): Promise<void> {
  const { dataDir } = options;
  const log = errorLog(options);
  const manager = serviceManager(log);
  const halt = Promise.withResolvers<never>();
  halt.promise.catch(() => {});
  const end = new AbortController();
  const stop = stopSignal('committing pending envelopes').then(() => end.abort(new StoppedError()));
  const restoring = new Restoring(screenOf(log));
  let running: RunningNode<CometDir>;
  try {
    running = await serveComet({
      ...options,
      ...nodeLimits(options),
      binary: binaryOf(options.binary),
      genesisFile: options.genesis,
      onlyHere,
      p2pAddress: options.p2p,
      peers: options.peers ?? [],
      logger: log,
      failpoint: process.env['NET_FAILPOINT'],
      signal: end.signal,
      onBan: (who, reason) => log.warn(`${who}: ${reason}`),
      onRestore: (progress) => restoring.update(progress),
      onWaiting: (peerId, hash) => terminal.note(waiting(peerId, hash, options)),
      onOtherGenesis: (sentence) => log.error(sentence),
      onEngineEnd: (sentence) => log.error(`${sentence}; it is started again`),
      onHalt: (error) => halt.reject(error),
    });
  } catch (error) {
    restoring.stop();
    if (error instanceof StoppedError) {
      const what = options.stateSync ? 'there was a state to begin with' : 'the others had met';
      return terminal.print(`Stopped before ${what}.`);
    }
    throw haltError(error);
  }
  const facts = join(resolve(dataDir), 'dev.json');
  try {
    writeFacts(facts, factsOf(running));
    if (json === true) terminal.print(JSON.stringify(factsOf(running)));
    else terminal.print(greeting(running));
    manager.ready(`${running.node.chain.identity.chainId} at ${running.publicUrl}`);
    const unhook = onLive?.({
      log,
      manager,
      apply: (other) => running.setLimits(nodeRates(other)),
    });
    await Promise.race([stop, halt.promise])
      .catch((error: unknown) => {
        throw haltError(error);
      })
      .finally(() => {
        unhook?.();
        rmSync(facts, { force: true });
      });
  } finally {
    manager.stopping();
    await running.stop();
  }
  if (json !== true) {
    terminal.print(`Stopped at height ${running.node.chain.height}. The next start continues.`);
  }
}

class StoppedError extends Error {}

function haltError(error: unknown): unknown {
  const isExplained: boolean = isKnownError(error);
  return error instanceof Error && error.constructor === Error && !isExplained
    ? new CommandError(`this node goes no further: ${error.message}`, 'HALTED')
    : error;
}

/** A restart from the file would lose other options. */
function refuseBesideFile(command: Command, config: string): void {
  const beside = command.options.find(
    (option) =>
      !ONCE.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (beside) throw new UsageError(`${beside.long} belongs into ${config}, which --config names`);
}

function waiting(peerId: string, hash: string, { p2p, peers: others = [] }: StartOptions): string {
  const port = p2p.slice(p2p.lastIndexOf(':') + 1);
  const remote = others.filter((peer) => !peer.startsWith(`${peerId}@`));
  return [
    '  Waiting until more than two thirds of the validators have met.',
    `  genesis  ${hash}, as all of them must have it`,
    `  peers    know this node as ${peerId}, on port ${port}; it connects to ${remote.length === 0 ? 'none, and waits for them' : remote.join(', ')}`,
  ].join('\n');
}

function factsOf({ node, url, publicUrl }: RunningNode<CometDir>): object {
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
    validatorId: dataDir.validator?.actorId ?? null,
    blockTimeMs: node.blockTime,
  };
}

function greeting({ node, publicUrl }: RunningNode<CometDir>): string {
  const { dataDir, chain } = node;
  const { validator, remoteSigner } = dataDir;
  const unsigned = remoteSigner ? `what connects to ${remoteSigner}` : 'nothing: a full node';
  return [
    `\n  netd ${VERSION}  ${chain.identity.chainId}, at height ${chain.height}, ordered by CometBFT\n`,
    factsText([
      ['Open', publicUrl],
      ['Data', dataDir.path],
      ['Signs as', validator ? validator.actorId : unsigned],
    ]),
    '',
    '  Ctrl-C stops it; the next start continues.',
    '',
  ].join('\n');
}
