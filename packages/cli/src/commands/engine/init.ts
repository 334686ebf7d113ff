import { writeFileSync } from 'node:fs';
import { validatorKeyFile } from '@netd/engine/cometbft';
import { writeOnce } from '@netd/engine/durable-file';
import { agreedIdWarning } from '@netd/node/chain-ids';
import { lockDataDir } from '@netd/node/data-dir-lock';
import {
  DEFAULT_BOND,
  makeValidatorKeys,
  ownerKeyPath,
  validatorKeyPath,
} from '@netd/node/founders';
import { readKeyFile } from '@netd/node/keys';
import { netText } from '@netd/protocol';
import { Option, type Command } from 'commander';
import { actorId, amount, foundersIdOption } from '../../option-values.ts';
import { answer } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface InitOptions {
  dataDir: string;
  chainId: string;
  name: string;
  address: string;
  faultDomain: string;
  bond: number;
  out?: string;
  signerKey?: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory of the validator')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .addOption(foundersIdOption())
    .addOption(
      new Option('--name <id>', 'id of this validator on the chain')
        .argParser(actorId)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--address <host:port>',
        'address at which the engines of the others reach this one',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--fault-domain <label>',
        'what it fails together with: a place, a provider',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--bond <amount>',
        'bond that the treasury pays for a founder; one vote for each NET',
      )
        .argParser(amount)
        .default(DEFAULT_BOND, netText(DEFAULT_BOND)),
    )
    .option('--out <file>', 'also write the card to this file')
    .option(
      '--signer-key <file>',
      'write the validator key there as signers for CometBFT keep it (priv_validator_key.json)',
    )
    .option('--json', 'print the card, which the genesis is made from')
    .action((options: InitOptions) => init(options, terminal));
}

function init(options: InitOptions, terminal: Terminal): void {
  const unlock = lockDataDir(options.dataDir);
  try {
    const card = makeValidatorKeys(options.dataDir, {
      chainId: options.chainId,
      validatorId: options.name,
      faultDomain: options.faultDomain,
      address: options.address,
      bond: options.bond,
    });
    const warning = agreedIdWarning(card.chainId);
    if (warning !== null) terminal.note(`netd: ${warning}`);
    if (options.out !== undefined) {
      writeFileSync(options.out, `${JSON.stringify(card, null, 2)}\n`);
    }
    if (options.signerKey !== undefined) {
      const { privateKey } = readKeyFile(validatorKeyPath(options.dataDir));
      const text = JSON.stringify(validatorKeyFile(privateKey), null, 2);
      writeOnce(options.signerKey, `${text}\n`, 0o600);
    }
    answer(terminal, options, card, () =>
      [
        `${card.validatorId} has its keys in ${options.dataDir}.`,
        `  peer  ${card.peer}`,
        '        The others connect to it: netd start --peers …',
        `  owner ${ownerKeyPath(options.dataDir)}`,
        '        It moves the bond of a founder. Back it up sealed, elsewhere: no other copy exists.',
        ...(options.signerKey === undefined ? [] : signerKeyText(options.signerKey)),
        ...(options.out === undefined ? NO_CARD : cardText(options.out)),
      ].join('\n'),
    );
  } finally {
    unlock();
  }
}

const cardText = (file: string): string[] => [
  `  card  ${file}`,
  '        The genesis is made from all cards: netd genesis new --validators …',
];

const NO_CARD = [
  '  card  not written: a founder names a file with --out.',
  '        A validator that joins later needs none, and acts by the key of its agent: netd apply validator …',
];

const signerKeyText = (file: string): string[] => [
  `  key   ${file}`,
  '        For a signer alone: take it there with keys/validator.json, and say netd start --remote-signer …',
];
