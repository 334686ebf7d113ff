import type { Command } from 'commander';
import { addActorOptions } from '../acting-agent.ts';
import { UsageError } from '../command-error.ts';
import { wholeNumber } from '../option-values.ts';
import type { Terminal } from '../terminal.ts';
import { back, check, prepare } from '../upgrade/database.ts';
import { announce, cancel, schedule, showStatus, type RulesOptions } from '../upgrade/rules.ts';

interface UpgradeOptions extends RulesOptions {
  check?: boolean;
  prepare?: boolean;
  back?: boolean;
  status?: boolean;
  schedule?: number;
  cancel?: boolean;
  ready?: boolean;
}

const STEPS = ['check', 'prepare', 'back', 'status', 'schedule', 'cancel', 'ready'] as const;
const OF_SCHEDULE = ['at', 'artifact', 'release', 'policy'] as const;

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .option('--check', 'say whether this version can open the data directory; its node may run')
      .option('--prepare', 'convert the database beside the one in use; its node may run')
      .option(
        '--back',
        'put the database from before the conversion back, until the first new block',
      )
      .option(
        '--status',
        'show the active and the scheduled version of the rules, and who is ready',
      )
      .option(
        '--schedule <version>',
        'schedule a version of the rules, as an operator or with an enacted release',
        wholeNumber(2, 1_000_000),
      )
      .option('--at <height>', 'its first block', wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .option('--artifact <hash>', 'SHA-256 of the release that has it, or its file')
      .option('--release <id>', 'the enacted release, for its artifact')
      .option(
        '--policy <value>',
        'value for what the version adds to the policy, as names.price=work, JSON or @file (repeatable; others get defaults)',
        (value: string, before: string[] | undefined) => [...(before ?? []), value],
      )
      .option('--cancel', 'cancel the scheduled version')
      .option(
        '--ready',
        'announce that the node of a validator has the scheduled version (key: keys/owner.json of its data directory)',
      )
      .option('--withdraw', 'with --ready: take the announcement back'),
  ).action((given: UpgradeOptions) => {
    const { as, ...others } = given;
    // Ignore NET_AGENT, because only an operator or owner upgrades.
    const isSaid = as !== undefined && command.getOptionValueSource('as') !== 'env';
    return upgrade(isSaid ? given : others, terminal);
  });
}

async function upgrade(options: UpgradeOptions, terminal: Terminal): Promise<void> {
  const steps = STEPS.filter((step) => options[step] !== undefined);
  const [step] = steps;
  if (step === undefined || steps.length > 1) {
    throw new UsageError(`say one of ${STEPS.map((name) => `--${name}`).join(', ')}`);
  }
  if (options.withdraw === true && step !== 'ready') {
    throw new UsageError('--withdraw takes the announcement of --ready back: add --ready');
  }
  const stray = OF_SCHEDULE.find((name) => options[name] !== undefined);
  if (stray !== undefined && step !== 'schedule') {
    throw new UsageError(`--${stray} belongs to --schedule`);
  }
  if (step === 'check') return check(options, terminal);
  if (step === 'prepare') return prepare(options, terminal);
  if (step === 'back') return back(options, terminal);
  if (step === 'status') return showStatus(options, terminal);
  if (step === 'cancel') return cancel(options, terminal);
  if (step === 'ready') return announce(options, terminal);
  return schedule(options.schedule ?? 0, options, terminal);
}
