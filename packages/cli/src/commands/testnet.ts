/** `netd testnet` runs several validators on this machine, each with a process and a CometBFT of its own. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { lockDataDir } from '@netd/node/data-dir-lock';
import { NEWEST_RULES } from '@netd/ledger';
import { openTestnet, type Testnet } from '@netd/node/testnet';
import { VERSION } from '@netd/protocol/version';
import { Option, type Command } from 'commander';
import { SupervisedChild } from '../dev/supervised-child.ts';
import { CommandError, explained, UsageError } from '../command-error.ts';
import { writeFacts } from '../write-facts.ts';
import type { BlobsFacts } from '../dev/blobs-process.ts';
import type { RunningHouse } from '../dev/house.ts';
import { EXIT } from '../exit-codes.ts';
import { addLogOptions, errorLog, type LogOptions } from '../error-log.ts';
import { wholeNumber } from '../option-values.ts';
import { factsText } from '../output.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';
import { hosts, listenAddress, writeHosts } from '../testnet/separate-hosts.ts';
import type { ValidatorMessage, ValidatorStart } from '../testnet/validator-messages.ts';

interface TestnetOptions extends LogOptions {
  validators: number;
  dir: string;
  port: number;
  binary?: string;
  house: 'staffed' | 'none';
  rules?: number;
  files?: boolean;
  listen: string;
  hosts?: ReturnType<typeof hosts>;
}

const OUTDATED =
  'this netd lacks the rules of the next block. Stop the testnet, and start it with the release that the log names';

/** Distance between the ports of two validators. It leaves room for the house's blob stores. */
const PORT_STEP = 10;

export function configure(command: Command, terminal: Terminal): void {
  addLogOptions(command)
    .addOption(
      new Option('--validators <number>', 'of a new testnet; an existing one keeps its own')
        .default(4)
        .argParser(wholeNumber(1, 16)),
    )
    .addOption(
      new Option('--dir <path>', 'directory with the data directories of the validators')
        .env('NET_TESTNET_DIR')
        .default('.netd-testnet'),
    )
    .addOption(
      new Option(
        '--rules <version>',
        'version of the rules for a new testnet, to rehearse an upgrade (default: the newest)',
      ).argParser(wholeNumber(1, NEWEST_RULES)),
    )
    .addOption(
      new Option(
        '-p, --port <number>',
        `of the first validator, ${PORT_STEP} more for each; 0 for any`,
      )
        .default(8420)
        .argParser(wholeNumber(0, 65_000)),
    )
    .addOption(
      new Option('--house <staff>', 'the agents that run from the start, as those of netd dev')
        .choices(['staffed', 'none'])
        .default('staffed'),
    )
    .option('--binary <path>', 'the program of CometBFT (default: the one of netd engine install)')
    .option(
      '--files',
      'with --hosts, write the files for a testnet on separate hosts, and start nothing',
    )
    .addOption(
      new Option(
        '--hosts <names>',
        'hosts of the validators, separated by commas; all keys are made on this machine',
      ).argParser(hosts),
    )
    .addOption(
      new Option(
        '--listen <address>',
        'with --files, address on which each host listens for clients and for metrics',
      )
        .default('127.0.0.1')
        .argParser(listenAddress),
    )
    .action((options: TestnetOptions) => {
      refuseIgnored(command, options);
      return run(options, terminal);
    });
}

/** @throws UsageError if an option would be ignored */
function refuseIgnored(command: Command, { files = false }: TestnetOptions): void {
  const names = files ? ['validators', 'port', 'house', 'rules', 'binary'] : ['listen'];
  const ignored = command.options.find(
    (option) =>
      names.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (ignored) {
    throw new UsageError(
      files
        ? `${ignored.long} is for a testnet on this machine: leave it away, or leave --files away`
        : `${ignored.long} goes with --files`,
    );
  }
}

async function run(options: TestnetOptions, terminal: Terminal): Promise<void> {
  if ((options.files === true) !== (options.hosts !== undefined)) {
    throw new UsageError('--files and --hosts go together: netd testnet --files --hosts a,b,c,d');
  }
  if (options.hosts) {
    const unlockFiles = lockDataDir(options.dir, 'testnet');
    try {
      terminal.print(
        writeHosts(options.dir, options.hosts, { now: Date.now(), listen: options.listen }),
      );
    } finally {
      unlockFiles();
    }
    return;
  }
  const binary = resolve(options.binary ?? cometbftPath(defaultEngineDir()));
  await requireCometbft(binary);
  // A second start would run beside the first, and delete its facts on exit.
  const unlock = lockDataDir(options.dir, 'testnet');
  try {
    await supervise(binary, options, terminal);
  } finally {
    unlock();
  }
}

async function supervise(
  binary: string,
  options: TestnetOptions,
  terminal: Terminal,
): Promise<void> {
  const { testnet, isNew } = await openTestnet(
    options.dir,
    options.validators,
    Date.now(),
    options.rules,
  );
  const stop = stopSignal('the validators commit pending envelopes');
  /** Rejects when no validator is left, or the disk is full. */
  const failed = Promise.withResolvers<never>();
  let left = testnet.validators.length;
  const began = isNew ? 'a new chain' : 'going on';
  terminal.print(`\n  netd ${VERSION}  ${testnet.chainId}, ${began}, ordered by CometBFT\n`);
  /** `urls` are the validators that answer now. `met` are those that ever did. */
  const urls = new Map<string, string>();
  const met = new Set<string>();
  let blobs: BlobsFacts[] = [];
  const factsPath = join(resolve(options.dir), 'dev.json');
  const tellFacts = (): void => {
    const pids = children.map((child) => child.pid);
    try {
      writeFacts(factsPath, factsOf(testnet, { urls, blobs, pids }));
    } catch (error) {
      failed.reject(error);
    }
  };
  let house: Promise<RunningHouse | null> = Promise.resolve(null);
  let isStopping = false;
  const children = testnet.validators.map((validator, index) => {
    const port = options.port === 0 ? 0 : options.port + PORT_STEP * index;
    return startValidator(
      testnet,
      index,
      { binary, port, options },
      terminal,
      (isFinal) => {
        urls.delete(validator.validatorId);
        if (isFinal && --left === 0)
          failed.reject(new CommandError(OUTDATED, 'OUTDATED', 'outdated'));
      },
      ({ url, height }) => {
        const isFirst = !met.has(validator.validatorId);
        met.add(validator.validatorId);
        urls.set(validator.validatorId, url);
        tellFacts();
        if (!isFirst) terminal.note(`${validator.validatorId} is back at height ${height}`);
        if (!isFirst || met.size < testnet.validators.length) return;
        terminal.print(greeting(testnet, urls, options));
        if (options.house === 'none' || isStopping) return;
        house = bringHouse(testnet, urls, options, terminal, (services) => {
          blobs = services;
          tellFacts();
        });
      },
    );
  });
  try {
    await Promise.race([stop, failed.promise]);
  } finally {
    isStopping = true;
    await (await house)?.stop();
    await Promise.all(children.map((child) => child.stop()));
    rmSync(factsPath, { force: true });
  }
  terminal.print('Stopped. netd testnet goes on from there.');
}

async function bringHouse(
  { chainId, validators: [first] }: Testnet,
  urls: ReadonlyMap<string, string>,
  { port, logLevel, logFormat }: TestnetOptions,
  ...[terminal, onBlobs]: [Terminal, (services: BlobsFacts[]) => void]
): Promise<RunningHouse | null> {
  if (!first) return null;
  const logOptions = { logLevel, ...(logFormat === undefined ? {} : { logFormat }) };
  const log = errorLog(logOptions);
  try {
    const { startHouse } = await import('../dev/house.ts');
    const { dataDir } = first;
    return await startHouse({
      dataDir: { path: dataDir, operatorKeyPath: operatorKeyOf(first), genesis: { chainId } },
      url: urls.get(first.validatorId) ?? '',
      port,
      logOptions,
      log,
      onBlobs,
      say: (text) => terminal.note(text),
    });
  } catch (error) {
    log.error({ err: explained(error) }, 'the agents of the house could not be started');
    return null;
  }
}

const operatorKeyOf = ({ dataDir }: Testnet['validators'][number]): string =>
  join(dataDir, 'keys', 'operator.json');

function startValidator(
  { validators }: Testnet,
  index: number,
  { binary, port, options }: { binary: string; port: number; options: TestnetOptions },
  ...[terminal, onDown, onUp]: [
    Terminal,
    (isFinal: boolean) => void,
    (message: ValidatorMessage) => void,
  ]
): SupervisedChild<ValidatorMessage> {
  const own = validators[index];
  if (!own) throw new RangeError('there is no such validator');
  const { logLevel, logFormat } = options;
  const start: ValidatorStart = {
    dataDir: own.dataDir,
    port,
    engine: {
      binary,
      p2pAddress: own.p2pAddress,
      peers: validators.filter((other) => other !== own).map(({ peer }) => peer),
    },
    logOptions: { logLevel, ...(logFormat === undefined ? {} : { logFormat }) },
  };
  return new SupervisedChild<ValidatorMessage>({
    entry: new URL('../testnet/validator-process.ts', import.meta.url),
    start: { ...start },
    onMessage: onUp,
    onDeath: (reason, wait) => {
      onDown(false);
      terminal.note(`${own.validatorId} died (${reason}), and is started again in ${wait} ms`);
    },
    final: {
      code: EXIT.outdated,
      onEnd: () => {
        terminal.note(`${own.validatorId} ended, and is not started again: ${OUTDATED}`);
        onDown(true);
      },
    },
  });
}

function factsOf(
  testnet: Testnet,
  {
    urls,
    blobs,
    pids,
  }: {
    urls: ReadonlyMap<string, string>;
    blobs: readonly BlobsFacts[];
    pids: readonly (number | null)[];
  },
): object {
  const [first] = testnet.validators;
  return {
    schema: 'NET-DEV/1',
    version: VERSION,
    pid: process.pid,
    url: first && urls.get(first.validatorId),
    chainId: testnet.chainId,
    genesisPath: first && join(first.dataDir, 'genesis.json'),
    operatorActorId: 'operator',
    operatorKeyPath: first && operatorKeyOf(first),
    blobs,
    validators: testnet.validators.map(({ validatorId, dataDir }, index) => ({
      validatorId,
      dataDir,
      pid: pids[index] ?? null,
      url: urls.get(validatorId) ?? null,
    })),
  };
}

function greeting(
  { validators }: Testnet,
  urls: ReadonlyMap<string, string>,
  { dir, house }: TestnetOptions,
): string {
  const first = urls.get(validators[0]?.validatorId ?? '');
  return [
    factsText(
      validators.map(({ validatorId }): [string, string] => [
        validatorId,
        urls.get(validatorId) ?? '',
      ]),
    ),
    factsText([['Data', `${dir}  (facts for scripts in dev.json)`]]),
    '',
    ...(house === 'none'
      ? []
      : ['  House: verifiers, a requester with jobs, an echo, there in a moment.']),
    '  Write to any of them. One of four may fall, and the others go on. In another terminal:',
    `    npx netd join my-agent "reads papers" --url ${first}`,
    `    npx netd verify --url ${first}`,
    '',
    '  Ctrl-C stops all of them; the next start continues.',
  ].join('\n');
}
