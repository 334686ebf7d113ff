/** Schedules, cancels and announces versions of the rules of a running chain. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFile } from '@netd/engine/durable-file';
import { NEWEST_RULES, RULES_VERSIONS, type Collections } from '@netd/ledger';
import { HASH_PATTERN, type JsonObject } from '@netd/protocol';
import { VERSION } from '@netd/protocol/version';
import type { NetClient, NetworkStatus } from '@netd/sdk';
import { asOperator, openAsActor, type Acting, type ActorOptions } from '../acting-agent.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { openNode } from '../node-address.ts';
import { answer, factsText } from '../output.ts';
import { programName } from '../program-name.ts';
import { receiptText, submitAction } from '../submit-action.ts';
import type { Terminal } from '../terminal.ts';
import { policyValues } from './policy-values.ts';
import { duration } from '../times.ts';

export interface RulesOptions extends ActorOptions {
  at?: number;
  artifact?: string;
  release?: string;
  policy?: string[];
  withdraw?: boolean;
}

type Schedule = Collections['rules-schedule'];

const OLDER =
  'Warning: a netd without `netd upgrade --status` does not know this action. Nodes and followers of such a version stop at the block that contains it, and blame the node that they have it from. Upgrade them first.';

export async function schedule(
  version: number,
  options: RulesOptions,
  terminal: Terminal,
): Promise<void> {
  const { at: height, release: releaseId } = options;
  if (height === undefined) {
    throw new UsageError('name the first block of the version with --at HEIGHT');
  }
  if (version > NEWEST_RULES) {
    throw new UsageError(
      `netd ${VERSION} knows the versions of the rules up to ${NEWEST_RULES}: schedule version ${version} with the release that has it`,
    );
  }
  const acting = await openAsActor(asOperator(options));
  const artifactHash = await artifactOf(options, acting.client);
  const payload = {
    version,
    height,
    artifactHash,
    ...(releaseId === undefined ? {} : { releaseId }),
    ...(options.policy && {
      policy: await policyValues(
        options.policy,
        { from: acting.network.rules.version, to: version },
        terminal,
      ),
    }),
  };
  if (!acting.isQuiet) terminal.note(OLDER);
  await submit(acting, 'scheduleRules', payload, terminal);
}

async function artifactOf({ artifact, release }: RulesOptions, client: NetClient): Promise<string> {
  if (artifact !== undefined) return hashOf(artifact);
  if (release === undefined) {
    throw new UsageError(
      'name the release that has the version: its file or SHA-256 with --artifact, or the id of an enacted release with --release',
    );
  }
  for await (const { releases } of client.pages('/v1/protocol/releases', { limit: 1_000 })) {
    const found = releases.find(({ releaseId }) => releaseId === release);
    if (found) return found.artifactHash;
  }
  throw new CommandError(
    `no release ${release} is recorded on this chain: GET /v1/protocol/releases lists them`,
    'RELEASE_UNKNOWN',
  );
}

async function hashOf(artifact: string): Promise<string> {
  if (new RegExp(HASH_PATTERN).test(artifact)) return artifact;
  if (statSync(artifact, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UsageError(`--artifact ${artifact} is neither a SHA-256 in hex nor a file`);
  }
  return (await hashOfFile(artifact)).sha256;
}

export async function cancel(options: RulesOptions, terminal: Terminal): Promise<void> {
  const acting = await openAsActor(asOperator(options));
  const { version } = await requireScheduled(acting.client);
  await submit(acting, 'cancelRules', { version }, terminal);
}

/** @throws CommandError if the validators are fixed, or this netd or the node lacks the version */
export async function announce(options: RulesOptions, terminal: Terminal): Promise<void> {
  const { client, network } = await openNode(options);
  const { version, artifactHash, readyIds } = await requireScheduled(client);
  if (network.rules.scheduled?.readyPower === null) {
    throw new CommandError(
      'the validators of this chain are fixed, so nobody announces: the operator who scheduled the version asserted that all are ready. Install the release before its height',
      'VALIDATOR_SET_FIXED',
    );
  }
  const { withdraw = false } = options;
  // A validator may withdraw even if this netd or the node lacks the version.
  if (!withdraw) await requireRelease(client, { version, artifactHash });
  const acting = await openAsActor(asOwner(options));
  const validatorId = acting.actor.actorId;
  const isReady = readyIds.includes(validatorId);
  if (isReady !== withdraw) {
    const [fact, code] = isReady
      ? ([
          `is announced as ready for version ${version} already: nothing is left to do until its height`,
          'RULES_ALREADY_ANNOUNCED',
        ] as const)
      : ([
          `is not announced as ready for version ${version}: there is nothing to withdraw`,
          'RULES_NOT_ANNOUNCED',
        ] as const);
    throw new CommandError(`${validatorId} ${fact}`, code);
  }
  const payload = { validatorId, version, artifactHash, ...(withdraw ? { withdraw } : {}) };
  await submit(acting, 'announceRules', payload, terminal);
}

async function requireRelease(
  client: NetClient,
  { version, artifactHash }: Pick<Schedule, 'version' | 'artifactHash'>,
): Promise<void> {
  const { faults } = await client.read('/health');
  const isOldNode = faults.some((fault) => fault.includes(artifactHash));
  if (version <= NEWEST_RULES && !isOldNode) return;
  const who = isOldNode ? `the node at ${client.url}` : `netd ${VERSION}`;
  throw new CommandError(
    `${who} lacks version ${version} of the rules: install the release with the artifact hash ${artifactHash}, restart the node with it, and announce with it`,
    'RULES_UNKNOWN',
  );
}

/** Uses the owner's key in a validator's data directory by default. */
function asOwner(options: RulesOptions): RulesOptions {
  const key = join(options.dataDir, 'keys', 'owner.json');
  if (options.key !== undefined || options.as !== undefined) return options;
  if (existsSync(key)) return { ...options, key };
  throw new UsageError(
    `there is no ${key}: name the data directory of the validator with -d, or the key of its owner with --key or --as`,
  );
}

async function requireScheduled(client: NetClient): Promise<Schedule> {
  const found = await scheduleAt(client);
  if (found && !found.decided) return found;
  throw new CommandError(
    found
      ? `version ${found.version} of the rules takes effect with block ${found.height}, and nothing can stop it`
      : `no version of the rules is scheduled at ${client.url}: ${programName()} upgrade --status shows the active one`,
    'RULES_NOT_SCHEDULED',
  );
}

async function scheduleAt(client: NetClient): Promise<Schedule | null> {
  const { value } = await client.read('/v1/state/proof', { key: 'rules-schedule/next' });
  return value as Schedule | null;
}

async function submit(
  acting: Acting,
  action: string,
  payload: JsonObject,
  terminal: Terminal,
): Promise<void> {
  const receipt = await submitAction(acting, action, payload, terminal);
  const status = await statusOf(acting.client, await acting.client.network());
  answer(
    terminal,
    { json: acting.isQuiet },
    { receipt, ...status },
    () => `${receiptText(acting, action, receipt)}\n${statusText(status)}`,
  );
}

export async function showStatus(options: RulesOptions, terminal: Terminal): Promise<void> {
  const { client, network } = await openNode(options);
  const status = await statusOf(client, network);
  if (!status.known) terminal.exitCode = EXIT.failed;
  answer(terminal, options, status, () => statusText(status));
}

interface Status {
  url: string;
  height: number;
  active: { version: number; name: string | null };
  scheduled:
    | (Pick<
        Schedule,
        | 'version'
        | 'height'
        | 'artifactHash'
        | 'releaseId'
        | 'scheduledBy'
        | 'policy'
        | 'postponements'
      > & {
        remainingBlocks: number;
        /** Estimated from the pace of the last blocks. */
        remainingMilliseconds: number;
        /** Null if the validator set is fixed, because then there are no announcements. */
        ready: Ready | null;
      })
    | null;
  /** False if this netd lacks the active or the scheduled version. */
  known: boolean;
}

interface Ready {
  power: number;
  quorum: number;
  totalPower: number;
  validators: { validatorId: string; votingPower: number; ready: boolean }[];
}

async function statusOf(client: NetClient, network: NetworkStatus): Promise<Status> {
  const { height, rules } = network;
  const next = await scheduleAt(client);
  const { version, name } = rules;
  const status = { url: client.url, height, active: { version, name } };
  // Once decided, the version is active from the next block.
  if (!next || next.decided) return { ...status, scheduled: null, known: version <= NEWEST_RULES };
  const { artifactHash, releaseId, scheduledBy, policy, postponements } = next;
  const remainingBlocks = Math.max(0, next.height - height - 1);
  return {
    ...status,
    scheduled: {
      version: next.version,
      height: next.height,
      artifactHash,
      releaseId,
      scheduledBy,
      policy,
      postponements,
      remainingBlocks,
      remainingMilliseconds: Math.round(remainingBlocks * (await pace(client, network))),
      ready: (rules.scheduled?.readyPower ?? null) === null ? null : readyIn(network, next),
    },
    known: Math.max(version, next.version) <= NEWEST_RULES,
  };
}

function readyIn({ finality }: NetworkStatus, { readyIds }: Schedule): Ready {
  const validators = finality.votes.map(({ validatorId, votingPower }) => ({
    validatorId,
    votingPower,
    ready: readyIds.includes(validatorId),
  }));
  const power = validators.reduce((sum, each) => sum + (each.ready ? each.votingPower : 0), 0);
  const { quorum, totalVotingPower: totalPower } = finality;
  return { power, quorum, totalPower, validators };
}

const PACE_BLOCKS = 100;

/** Returns the mean milliseconds between the last blocks, or the idle time if there are none here. */
async function pace(client: NetClient, network: NetworkStatus): Promise<number> {
  const { height, timestamp, idleBlockTimeMs } = network;
  const from = Math.max(1, height - PACE_BLOCKS);
  if (from >= height) return idleBlockTimeMs;
  // A node that began at a checkpoint may lack the block; an estimate must not fail a committed action.
  const block = await client.read('/v1/blocks/{height}', { height: from }).catch(() => null);
  if (block === null) return idleBlockTimeMs;
  return (Date.parse(timestamp) - Date.parse(block.header.timestamp)) / (height - from);
}

const nameOf = (version: number, name = RULES_VERSIONS[version - 1]?.name ?? null): string =>
  `version ${version}${name === null ? '' : ` (${name})`}`;

function statusText({ url, active, scheduled, known }: Status): string {
  const facts: [string, string][] = [['active', nameOf(active.version, active.name)]];
  if (scheduled) {
    const { height, remainingBlocks, remainingMilliseconds, ready, postponements } = scheduled;
    facts.push(
      [
        'scheduled',
        `${nameOf(scheduled.version)}, from block ${height} on${postponements > 0 ? `, postponed ${postponements} times` : ''}`,
      ],
      ['remaining', `${remainingBlocks} blocks, about ${duration(remainingMilliseconds)}`],
      [
        'release',
        `artifact ${scheduled.artifactHash}${scheduled.releaseId === null ? '' : `, release ${scheduled.releaseId}`}`,
      ],
      ['by', scheduled.scheduledBy],
      [
        'policy',
        Object.keys(scheduled.policy).length > 0 ? JSON.stringify(scheduled.policy) : 'defaults',
      ],
      ['ready', ready === null ? 'nobody announces: the validators are fixed' : readyText(ready)],
    );
  } else facts.push(['scheduled', 'none']);
  facts.push(['this netd', `${VERSION} knows the versions up to ${NEWEST_RULES}`]);
  const lines = [factsText(facts)];
  if (!known) {
    lines.push(
      `  netd ${VERSION} lacks a version that the chain needs: install the release that has it${scheduled ? ` before block ${scheduled.height}` : ''}.`,
    );
  } else if (scheduled?.ready) {
    lines.push(
      `  The owner of a validator announces with:  ${programName()} upgrade --ready -d DATA_DIR --url ${url}`,
    );
  }
  return lines.join('\n');
}

function readyText({ power, quorum, totalPower, validators }: Ready): string {
  const named = (isReady: boolean): string =>
    validators
      .flatMap(({ validatorId, ready }) => (ready === isReady ? [validatorId] : []))
      .join(', ');
  return `${power} of ${totalPower} votes, ${quorum} needed; ready: ${named(true) || 'none'}; not: ${named(false) || 'none'}`;
}
