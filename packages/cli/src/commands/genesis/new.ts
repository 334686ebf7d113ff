import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { DEVNET_POLICY } from '@netd/ledger';
import { GENESIS_FILE, openDataDir } from '@netd/node';
import { agreedIdWarning, sharedIdWarning } from '@netd/node/chain-ids';
import { lockDataDir } from '@netd/node/data-dir-lock';
import {
  beginChainOfMany,
  operatorKeyPath,
  readOperatorCard,
  readValidatorCard,
} from '@netd/node/founders';
import {
  FREE_NAMES,
  genesisHash,
  type GenesisPolicy,
  NamesPolicy,
  UNET_PER_NET,
} from '@netd/protocol';
import { Option, type Command } from 'commander';
import { UsageError } from '../../command-error.ts';
import { amount, chainId, uniqueOption, wholeNumber } from '../../option-values.ts';
import { answer } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

const DAY_MILLISECONDS = 86_400_000;
/**
 * Minimum milliseconds of delays in which people must react. DEVNET_POLICY.readiness.delays requires them.
 */
const DELAYS_OF_PEOPLE = {
  disputeWindow: DAY_MILLISECONDS,
  recoveryDelay: DAY_MILLISECONDS,
  votingPeriod: DAY_MILLISECONDS,
  timelock: DAY_MILLISECONDS,
  unbondingDelay: 7 * DAY_MILLISECONDS,
} as const satisfies GenesisPolicy['readiness']['delays'];
const FAUCET = ['on', 'off'] as const;
const DELAYS = ['seconds', 'days'] as const;
const NAMES = NamesPolicy.properties.price.enum;

interface Choices {
  chainId?: string;
  unique?: boolean;
  faucet?: (typeof FAUCET)[number];
  delays?: (typeof DELAYS)[number];
  minimumFunding?: number;
  names?: (typeof NAMES)[number];
}

interface NewOptions extends Choices {
  dataDir: string;
  validators?: string[];
  operator?: string;
  term?: number;
  maximum?: number;
  yes?: boolean;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory, which has no chain yet')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .addOption(
      new Option('--chain-id <id>', 'its name, for good (default: one by chance)').argParser(
        chainId,
      ),
    )
    .addOption(uniqueOption())
    .addOption(
      new Option('--faucet <on|off>', 'whether every agent can get test NET').choices(FAUCET),
    )
    .addOption(
      new Option(
        '--delays <length>',
        'how long disputes, votes, recoveries and unbonding stay open: seconds to watch, days to notice',
      ).choices(DELAYS),
    )
    .addOption(
      new Option('--minimum-funding <amount>', 'the least that an order may pay').argParser(amount),
    )
    .addOption(
      new Option(
        '--names <price>',
        'the price of a name: free, a proof of work, or a deposit of 10NET that a sponsor gets back (default: free)',
      ).choices(NAMES),
    )
    .addOption(
      new Option(
        '--validators <cards>',
        'cards of netd engine init, with commas between, for a chain of several validators whose set can change',
      )
        .argParser((text) => text.split(','))
        .conflicts(['chainId', 'unique']),
    )
    .option(
      '--operator <card>',
      'with --validators, the card of netd genesis operator (default: a new key in the data directory)',
    )
    .addOption(
      new Option(
        '--term <blocks>',
        'with --validators, blocks until the set is drawn again',
      ).argParser(wholeNumber(1, 1_000_000)),
    )
    .addOption(
      new Option('--maximum <number>', 'with --validators, most validators that sign').argParser(
        wholeNumber(1, 64),
      ),
    )
    .option('-y, --yes', 'take the choices of a devnet for what is not given, without asking')
    .option('--json', 'print what was made as JSON')
    .action((options: NewOptions) => begin(options, terminal));
}

async function begin(options: NewOptions, terminal: Terminal): Promise<void> {
  const root = resolve(options.dataDir);
  const path = join(root, GENESIS_FILE);
  if (existsSync(path)) {
    throw new UsageError(
      `${path} is there, and the rules of a chain do not change: name another --data-dir`,
    );
  }
  const cards = options.validators?.map(readValidatorCard);
  const operator = options.operator === undefined ? undefined : readOperatorCard(options.operator);
  const beside = (['operator', 'term', 'maximum'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (beside && !cards) throw new UsageError(`--${beside} goes with --validators`);
  const [first] = cards ?? [];
  const choices = await chosen(
    first ? { ...options, chainId: first.card.chainId } : options,
    terminal,
  );
  const unlock = lockDataDir(root);
  try {
    const policy = policyOf(choices);
    const genesis = cards
      ? beginChainOfMany(root, cards, {
          policy,
          operator,
          now: Date.now(),
          set: {
            ...(options.term === undefined ? {} : { termHeights: options.term }),
            ...(options.maximum === undefined ? {} : { maximum: options.maximum }),
          },
        })
      : openDataDir(root, {
          ...(choices.chainId === undefined ? {} : { chainId: choices.chainId }),
          ...(choices.unique === undefined ? {} : { unique: choices.unique }),
          policy,
          now: () => Date.now(),
        }).genesis;
    const warning = (cards ? agreedIdWarning : sharedIdWarning)(genesis.chainId);
    if (warning !== null) terminal.note(`netd: ${warning}`);
    const hash = genesisHash(genesis);
    const keyPath = operator ? null : operatorKeyPath(root);
    const document = {
      chainId: genesis.chainId,
      genesisHash: hash,
      path,
      operatorKeyPath: keyPath,
    };
    answer(terminal, options, document, () =>
      [
        `${genesis.chainId} can begin.`,
        `  genesis  ${path}`,
        `  hash     ${hash}`,
        '           Publish the hash: followers and verifiers compare it.',
        ...(keyPath === null ? [] : keysText(root, cards !== undefined)),
        ...(cards
          ? [
              '  check    each founder: netd genesis check --card CARD --genesis genesis.json',
              `  start    then, on each machine: netd start --genesis ${GENESIS_FILE} --peers ${cards.map(({ card }) => card.peer).join(',')}`,
            ]
          : [`  start    netd dev --data-dir ${options.dataDir} --house none`]),
      ].join('\n'),
    );
  } finally {
    unlock();
  }
}

const keysText = (root: string, isOfMany: boolean): string[] => [
  `  keys     ${join(root, 'keys')}`,
  `           Back them up sealed, elsewhere.${isOfMany ? '' : ' The key of the validator cannot be replaced.'}`,
];

async function chosen(options: NewOptions, terminal: Terminal): Promise<Choices> {
  if (options.yes === true) return options;
  const isGiven =
    options.faucet !== undefined &&
    options.delays !== undefined &&
    options.minimumFunding !== undefined;
  if (isGiven) return options;
  if (terminal.input.isTTY !== true) {
    throw new UsageError(
      'there is no terminal to ask the questions on: add --faucet, --delays and --minimum-funding, or --yes for the choices of a devnet',
    );
  }
  const questions = createInterface({ input: terminal.input, output: process.stderr });
  try {
    return {
      chainId:
        options.chainId ??
        (await asked(questions, 'Name of the chain (empty: by chance)', optionalId)),
      unique: options.unique,
      faucet:
        options.faucet ??
        (await asked(questions, 'Can any agent get test NET? on or off [on]', oneOf(FAUCET))),
      delays:
        options.delays ??
        (await asked(
          questions,
          'How long do disputes and votes stay open? seconds or days [seconds]',
          oneOf(DELAYS),
        )),
      minimumFunding:
        options.minimumFunding ??
        (await asked(questions, 'The least that an order may pay [10NET]', (text) =>
          amount(text === '' ? '10NET' : text),
        )),
    } as Choices;
  } finally {
    questions.close();
  }
}

async function asked<Value>(
  questions: Interface,
  question: string,
  read: (text: string) => Value,
): Promise<Value> {
  for (;;) {
    const text = await questions.question(`${question}: `);
    try {
      return read(text.trim());
    } catch (error) {
      process.stderr.write(`  ${(error as Error).message}\n`);
    }
  }
}

const optionalId = (text: string): string | undefined => (text === '' ? undefined : chainId(text));

const oneOf =
  <Value extends string>(values: readonly [Value, ...Value[]]) =>
  (text: string): Value => {
    const found = text === '' ? values[0] : values.find((value) => value === text);
    if (found === undefined) throw new UsageError(`write ${values.join(' or ')}`);
    return found;
  };

function policyOf({ faucet, delays, minimumFunding, names }: Choices): GenesisPolicy {
  const { work, operators, governance, recoveryDelay } = DEVNET_POLICY;
  const long = (
    name: keyof typeof DELAYS_OF_PEOPLE,
    short: typeof recoveryDelay,
  ): typeof recoveryDelay =>
    delays === 'days' ? { ...short, milliseconds: DELAYS_OF_PEOPLE[name] } : short;
  return {
    ...DEVNET_POLICY,
    ...(names === undefined ? {} : { names: { ...FREE_NAMES, price: names } }),
    faucet: { ...DEVNET_POLICY.faucet, enabled: faucet !== 'off' },
    recoveryDelay: long('recoveryDelay', recoveryDelay),
    work: {
      ...work,
      minimumFunding: minimumFunding ?? 10 * UNET_PER_NET,
      disputeWindow: long('disputeWindow', work.disputeWindow),
    },
    operators: { ...operators, unbondingDelay: long('unbondingDelay', operators.unbondingDelay) },
    governance: {
      ...governance,
      votingPeriod: long('votingPeriod', governance.votingPeriod),
      timelock: long('timelock', governance.timelock),
    },
  };
}
