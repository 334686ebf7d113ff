/** `netd testnet`: several validators on this machine, a process and a CometBFT each. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { openTestnet, type Testnet } from '@netd/node/testnet';
import { VERSION } from '@netd/protocol/version';
import { Option, type Command } from 'commander';
import { SupervisedChild } from '../dev/supervised-child.ts';
import { addLogOptions, type LogOptions } from '../error-log.ts';
import { wholeNumber } from '../option-values.ts';
import { factsText } from '../output.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';
import type { ValidatorMessage, ValidatorStart } from '../testnet/validator-messages.ts';

interface TestnetOptions extends LogOptions {
  validators: number;
  dir: string;
  port: number;
  binary?: string;
}

/** Between the ports of validators, so that `netd dev` has room for its blobs beside the first. */
const PORT_STEP = 10;

export function configure(command: Command, terminal: Terminal): void {
  addLogOptions(command)
    .addOption(
      new Option('--validators <number>', 'of a new testnet; one that is there keeps its own')
        .default(4)
        .argParser(wholeNumber(1, 16)),
    )
    .addOption(
      new Option('--dir <path>', 'where the data directories of the validators lie')
        .env('NET_TESTNET_DIR')
        .default('.netd-testnet'),
    )
    .addOption(
      new Option(
        '-p, --port <number>',
        `of the first validator, ${PORT_STEP} more for each; 0 for any`,
      )
        .default(8420)
        .argParser(wholeNumber(0, 65_000)),
    )
    .option('--binary <path>', 'the program of CometBFT (default: the one of netd engine install)')
    .action((options: TestnetOptions) => run(options, terminal));
}

async function run(options: TestnetOptions, terminal: Terminal): Promise<void> {
  const binary = resolve(options.binary ?? cometbftPath(defaultEngineDir()));
  await requireCometbft(binary);
  const { testnet, isNew } = await openTestnet(options.dir, options.validators, Date.now());
  const stop = stopSignal('the validators commit what waits');
  const began = isNew ? 'a new chain' : 'going on';
  terminal.print(`\n  netd ${VERSION}  ${testnet.chainId}, ${began}, ordered by CometBFT\n`);
  const factsPath = join(resolve(options.dir), 'dev.json');
  const urls = new Map<string, string>();
  const children = testnet.validators.map((validator, index) => {
    const port = options.port === 0 ? 0 : options.port + PORT_STEP * index;
    return startValidator(
      testnet,
      index,
      { binary, port, options },
      terminal,
      ({ url, height }) => {
        const isFirst = !urls.has(validator.validatorId);
        urls.set(validator.validatorId, url);
        writeFacts(factsPath, testnet, { urls, pids: children.map((child) => child.pid) });
        if (!isFirst) terminal.note(`${validator.validatorId} is back at height ${height}`);
        if (isFirst && urls.size === testnet.validators.length) {
          terminal.print(greeting(testnet, urls, options));
        }
      },
    );
  });
  try {
    await stop;
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(factsPath, { force: true });
  }
  terminal.print('Stopped. netd testnet goes on from there.');
}

function startValidator(
  { validators }: Testnet,
  index: number,
  { binary, port, options }: { binary: string; port: number; options: TestnetOptions },
  ...[terminal, onUp]: [Terminal, (message: ValidatorMessage) => void]
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
    onDeath: (reason, wait) =>
      terminal.note(`${own.validatorId} died (${reason}), and is started again in ${wait} ms`),
  });
}

/** For scripts: the members of `netd dev`, and one line a validator. */
function writeFacts(
  path: string,
  testnet: Testnet,
  { urls, pids }: { urls: ReadonlyMap<string, string>; pids: readonly (number | null)[] },
): void {
  const [first] = testnet.validators;
  const facts = {
    schema: 'NET-DEV/1',
    version: VERSION,
    pid: process.pid,
    url: first && urls.get(first.validatorId),
    chainId: testnet.chainId,
    operatorKeyPath: first && join(first.dataDir, 'keys', 'operator.json'),
    validators: testnet.validators.map(({ validatorId, dataDir }, index) => ({
      validatorId,
      dataDir,
      pid: pids[index] ?? null,
      url: urls.get(validatorId) ?? null,
    })),
  };
  const draft = `${path}.draft`;
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`);
  renameSync(draft, path);
}

function greeting(
  { validators }: Testnet,
  urls: ReadonlyMap<string, string>,
  { dir }: TestnetOptions,
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
    '  Write to any of them. One of four may fall, and the others go on. In another terminal:',
    `    npx netd join my-agent "reads papers" --url ${first}`,
    `    npx netd verify --url ${first}`,
    '',
    '  Ctrl-C stops all of them; the next start goes on where they were.',
  ].join('\n');
}
