import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { APPLICATION_PROFILES } from '@netd/ledger';
import { readKeyFile } from '@netd/node/keys';
import { canonicalize, didYouMean, ERROR_TABLE } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk';
import { Option, type Command } from 'commander';
import { addActorOptions, openAsActor, type Acting, type ActorOptions } from '../acting-agent.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { readInputText } from '../input-text.ts';
import { wholeNumber } from '../option-values.ts';
import { answer } from '../output.ts';
import { payloadFromWords } from '../payload-words.ts';
import { approveLine } from '../approve-line.ts';
import { programName, sameOptions } from '../program-name.ts';
import type { Terminal } from '../terminal.ts';

interface ApplyOptions extends ActorOptions {
  id?: string;
  actions?: string;
  consensusKey?: string;
  blocks: number;
}

type Role = keyof typeof APPLICATION_PROFILES;
type Application = DocumentOf<'/v1/operator-applications'>['applications'][number];

const ROLES = Object.keys(APPLICATION_PROFILES) as Role[];

export function configure(command: Command, terminal: Terminal): void {
  const profiles = ROLES.map((role) => {
    const { properties = {} } = APPLICATION_PROFILES[role] as { properties?: object };
    const members = Object.keys(properties);
    return `  ${role.toLowerCase().padEnd(18)}${members.length === 0 ? '' : `profile: ${members.join(', ')}`}`;
  });
  addActorOptions(
    command
      .argument('<role>', 'what to become')
      .argument('[profile...]', 'what the role asks for, as member=value: bond=100NET')
      .option('--id <application>', 'id of the application (default: <agent>-<role>-<height>)')
      .option(
        '--consensus-key <file>',
        'of a validator: the key file by which its node will sign, keys/validator.json',
      )
      .addOption(new Option('--actions <names>', 'only these of the role, with commas between'))
      .option(
        '--blocks <number>',
        'how long it can be approved and claimed',
        wholeNumber(1, 5_000),
        2_000,
      ),
  )
    .addHelpText('after', `\nRoles:\n${profiles.join('\n')}`)
    .action((role: string, words: string[], options: ApplyOptions) =>
      apply(role, words, options, terminal),
    );
}

async function apply(
  roleWord: string,
  words: readonly string[],
  options: ApplyOptions,
  terminal: Terminal,
): Promise<void> {
  const role = roleOf(roleWord);
  const given = await payloadFromWords(words, APPLICATION_PROFILES[role], {
    readFile: (path) => readFile(path, 'utf8'),
    readInput: () => readInputText(terminal.input),
  });
  const acting = await openAsActor(options);
  const profile = { ...given, ...consensusKeyOf(options, acting) };
  const mine = await unfinished(acting, role);
  if (mine) {
    await goOn(acting, mine, options, terminal);
    return;
  }
  const { client, actor, network } = acting;
  const isCandidate = role === 'VALIDATOR' && (await requireChangingSet(acting)) === 'solo';
  const names = options.actions?.split(',') ?? (await actionsOf(acting, role));
  const applicationId =
    options.id ?? `${actor.actorId}-${role.toLowerCase().replaceAll('_', '-')}-${network.height}`;
  const receipt = await client.apply(actor, {
    applicationId,
    role,
    capabilities: names.map((action) => ({ action })),
    profile,
    expiresAtHeight: network.height + options.blocks,
  });
  const invited = receipt.events.find(({ type }) => type === 'OperatorInvitationCreated');
  if (invited) {
    const claimed = await client.claim(actor, receipt.transitionHash);
    answer(terminal, options, claimed, () => `${actor.actorId} is ${role} from now on.`);
    return;
  }
  answer(terminal, options, receipt, () =>
    [
      `${actor.actorId} applied for ${role} at height ${receipt.height}, as ${applicationId}.`,
      ...(isCandidate ? [`  ${ONLY_CANDIDATE}`] : []),
      `  An operator approves it:  ${approveLine({ applicationId, role, actorId: actor.actorId }, nodeOf(options))}`,
      `  Then claim it with:       ${programName()} apply ${role.toLowerCase()} ${sameOptions({ ...options, as: actor.actorId }).trim()}`,
    ].join('\n'),
  );
}

/** Leaves out who acts and the data directory, because an operator has other ones. */
const nodeOf = ({ url }: ApplyOptions): { url?: string } => (url === undefined ? {} : { url });

/** Actions of the role under the chain's rules. A chain refuses those of later versions. */
async function actionsOf({ client }: Pick<Acting, 'client'>, role: Role): Promise<string[]> {
  const { capabilitySets } = await client.read('/v1/manifest');
  return (capabilitySets.roles as Record<string, string[]>)[role] ?? [];
}

export const ONLY_CANDIDATE =
  'Candidate; will not validate here: genesis fixed the one validator of this chain.';

/**
 * Refuses an application that would lock a bond in vain, although the node would accept it.
 * @returns how validators are chosen: by the ledger, or the single one of genesis
 * @throws CommandError VALIDATOR_SET_FIXED if genesis fixed several validators
 */
export async function requireChangingSet({
  client,
}: Pick<Acting, 'client'>): Promise<'drawn' | 'solo'> {
  const { policy, validators } = await client.read('/v1/genesis');
  if (policy.validatorSet) return 'drawn';
  if (validators.length <= 1) return 'solo';
  const { title, advice } = ERROR_TABLE.VALIDATOR_SET_FIXED;
  throw new CommandError(`${title}. ${advice}`, 'VALIDATOR_SET_FIXED');
}

async function goOn(
  acting: Acting,
  { applicationId, role, invitation }: Application,
  options: ApplyOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, actor } = acting;
  const isCandidate = role === 'VALIDATOR' && (await requireChangingSet(acting)) === 'solo';
  if (!invitation) {
    answer(
      terminal,
      options,
      { applicationId, status: 'PENDING' },
      () =>
        `${applicationId} waits for an operator:  ${approveLine({ applicationId, role, actorId: actor.actorId }, nodeOf(options))}`,
    );
    return;
  }
  const receipt = await client.claim(actor, invitation.invitationId);
  answer(terminal, options, receipt, () =>
    isCandidate
      ? `${actor.actorId} is a VALIDATOR candidate from height ${receipt.height} on. ${ONLY_CANDIDATE}`
      : `${actor.actorId} is ${role} from height ${receipt.height} on.`,
  );
}

async function unfinished({ client, actor }: Acting, role: Role): Promise<Application | null> {
  for (const status of ['PENDING', 'APPROVED'] as const) {
    for await (const { applications } of client.pages('/v1/operator-applications', {
      status,
      limit: 1_000,
    })) {
      const mine = applications.find((one) => one.actorId === actor.actorId && one.role === role);
      if (mine) return mine;
    }
  }
  return null;
}

function roleOf(word: string): Role {
  const wanted = word.toUpperCase().replaceAll('-', '_');
  const role = ROLES.find((name) => name === wanted);
  if (role) return role;
  const hint = didYouMean(wanted, ROLES) || `; there are ${ROLES.join(', ').toLowerCase()}`;
  throw new UsageError(`there is no role ${word}${hint}`);
}

function consensusKeyOf(
  { consensusKey: path }: ApplyOptions,
  { actor, network }: Acting,
): { consensusPublicKey?: string; consensusKeySignature?: string } {
  if (path === undefined) return {};
  const { publicKey: consensusPublicKey, privateKey } = readKeyFile(path);
  const { chainId } = network;
  const { actorId } = actor;
  const statement = { schema: 'NET-CONSENSUS-KEY/1', chainId, actorId, consensusPublicKey };
  const signed = Buffer.from(canonicalize(statement));
  return {
    consensusPublicKey,
    consensusKeySignature: sign(null, signed, privateKey).toString('base64'),
  };
}
