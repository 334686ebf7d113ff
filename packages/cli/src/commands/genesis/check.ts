import { GENESIS_FILE, readGenesis } from '@netd/node';
import { cardFaults, readCard } from '@netd/node/founders';
import { genesisHash, netText, UNET_PER_NET, type Genesis } from '@netd/protocol';
import type { Command } from 'commander';
import { CommandError, UsageError } from '../../command-error.ts';
import { answer, factsText } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface CheckOptions {
  card?: string[];
  genesis: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .option(
      '--card <files>',
      'your own cards from netd engine init or netd genesis operator, with commas between',
      (text: string) => text.split(','),
    )
    .option('--genesis <file>', 'the genesis that you were given', GENESIS_FILE)
    .option('--json', 'print the hash, the validators and the operators as JSON')
    .action((options: CheckOptions) => check(options, terminal));
}

function check(options: CheckOptions, terminal: Terminal): void {
  const genesis = readGenesis(options.genesis);
  if (!genesis) throw new UsageError(`there is no ${options.genesis}: name it with --genesis`);
  for (const { file, card } of (options.card ?? []).map(readCard)) {
    const [fault] = cardFaults(genesis, card);
    if (fault !== undefined) {
      throw new CommandError(
        `${options.genesis} is not made from ${file}: ${fault}. Don't start. Ask for a genesis that is made from this card`,
        'CARD_DIFFERS',
      );
    }
  }
  const { chainId, validators, operators, policy } = genesis;
  const hash = genesisHash(genesis);
  const { validatorSet = null } = policy;
  answer(
    terminal,
    options,
    { chainId, genesisHash: hash, validators, operators, validatorSet },
    () => checkText(genesis, hash, options.card ?? []),
  );
}

function checkText(
  { chainId, validators, operators, policy }: Genesis,
  hash: string,
  cards: readonly string[],
): string {
  const { validatorSet } = policy;
  return [
    cards.length === 0
      ? `The genesis of ${chainId} is valid. It was compared with no card.`
      : `The genesis of ${chainId} agrees with ${cards.join(', ')}.`,
    factsText([
      ['hash', hash],
      ...validators.map(({ validatorId, votingPower, faultDomain }): [string, string] => [
        validatorId,
        validatorSet
          ? `bond ${netText(votingPower * UNET_PER_NET)}, ${faultDomain}`
          : `${votingPower} votes, ${faultDomain}`,
      ]),
      ['operators', operators.map(({ actorId }) => actorId).join(', ')],
      [
        'set',
        validatorSet
          ? `drawn again every ${validatorSet.termHeights} blocks, at most ${validatorSet.maximum} validators`
          : 'fixed for good: no validator can join, leave or be replaced',
      ],
    ]),
    'Compare the hash with that of the other founders before netd start.',
  ].join('\n');
}
