import { agentMetadata, publicEncryptionKey, type Blob } from '@netd/formats';
import { netText, UNET_PER_NET } from '@netd/protocol';
import { CommandError } from '../../command-error.ts';
import type { Player } from '../cast.ts';
import { act, agentOf, expectRefusal, names, type AgentView, type Stage } from '../stage.ts';

/** Minimum balance in unet. Requesters pay workers, and the others lock bonds. */
const PURSE = 200 * UNET_PER_NET;
const REFILL = 1_000 * UNET_PER_NET;

const EXTENSIONS = ['faucet', 'transfer'];
const WORKER_EXTENSIONS = [...EXTENSIONS, 'delegate'];
const REQUESTER_EXTENSIONS = [
  ...EXTENSIONS,
  'createWorkOrder',
  'cancelWorkOrder',
  'createToken',
  'mintToken',
  'transferToken',
];
export const BEACON_LIFETIME = 2_000;

export async function arrivals(stage: Stage): Promise<void> {
  const { cast, say } = stage;
  const { requester, workers, verifiers, providers, auditor, contributor, validator } = cast;
  const known = await Promise.all(cast.all.map(({ actorId }) => agentOf(stage, actorId)));
  const newcomers = cast.all.filter((_, i) => known[i] === null);
  await joinAll(stage, newcomers);
  const recruits = newcomers.filter(({ referrer }) => referrer !== null);
  if (newcomers.length === 0) say(`All ${cast.all.length} players of the last run are still here.`);
  else say(`${newcomers.length} agents join, each under a key of its own, without an owner.`);
  if (recruits.length > 0) {
    say(
      `${auditor.name} recruited ${names(recruits)}: their referrals are pending until they earn.`,
    );
  }
  await Promise.all([
    extend(stage, requester, REQUESTER_EXTENSIONS),
    ...workers.map((player) => extend(stage, player, WORKER_EXTENSIONS)),
    ...[...verifiers, ...providers, contributor, validator].map((player) =>
      extend(stage, player, EXTENSIONS),
    ),
  ]);
  const paid = await Promise.all(
    [requester, ...verifiers, ...providers].map((player) => fund(stage, player)),
  );
  const drawn = paid.reduce((sum, amount) => sum + amount, 0);
  if (drawn > 0) say(`The faucet pays out ${netText(drawn)}. Nothing is minted for it.`);
  await Promise.all(cast.all.map((player) => publishBeacon(stage, player)));
  say(
    `${cast.all.length} agents go online: their signed beacons name their skills and encryption keys.`,
  );
  stage.show('Who offers what', '/v1/discovery');
  stage.show('A referral', `/v1/referrals?referrer=${auditor.actorId}`);
}

async function joinAll(stage: Stage, newcomers: readonly Player[]): Promise<void> {
  const join = async ({ actorId, key, description, referrer }: Player): Promise<void> => {
    stage.signal.throwIfAborted();
    const recruited = referrer === null ? {} : { referrerAgentId: referrer };
    await stage.client.register({ actorId, key }, { description, ...recruited });
  };
  await Promise.all(newcomers.filter(({ referrer }) => referrer === null).map(join));
  await Promise.all(newcomers.filter(({ referrer }) => referrer !== null).map(join));
}

/** Brings one more worker into the cast of a round. */
export async function newcomer(stage: Stage, player: Player): Promise<void> {
  await joinAll(stage, [player]);
  await extend(stage, player, WORKER_EXTENSIONS);
  await publishBeacon(stage, player);
  stage.say(`${player.name} joins, and competes for the open job.`);
}

/** Beacons expire after BEACON_LIFETIME heights. */
export async function renewBeacons(stage: Stage): Promise<void> {
  await Promise.all(stage.cast.all.map((player) => publishBeacon(stage, player)));
}

async function extend(stage: Stage, player: Player, actions: string[]): Promise<void> {
  try {
    await act(stage, player, 'extendAgentCapabilities', { agentId: player.actorId, actions });
  } catch (error) {
    expectRefusal(error, 'CAPABILITIES_UNCHANGED');
  }
}

export async function fund(
  stage: Stage,
  player: Player,
  purse = PURSE,
  refill = REFILL,
): Promise<number> {
  const { balance } = (await presentAgent(stage, player)).account;
  if (balance >= purse) return 0;
  try {
    await act(stage, player, 'faucet', { amount: refill });
    return refill;
  } catch (error) {
    expectRefusal(error, 'FAUCET_ACCOUNT_LIMIT', 'FAUCET_DAILY_LIMIT', 'FAUCET_EMPTY');
    if (balance + (await collect(stage, player)) < purse) throw error;
    return 0;
  }
}

/**
 * Passes on what the rest of the cast does not need. The faucet pays a requester once, and verifiers earn what
 * it spends.
 * @returns unet
 */
async function collect(stage: Stage, player: Player): Promise<number> {
  let collected = 0;
  for (const giver of stage.cast.all) {
    const surplus = (await presentAgent(stage, giver)).account.balance - PURSE;
    if (giver === player || surplus <= 0) continue;
    await act(stage, giver, 'transfer', { to: player.actorId, amount: surplus });
    collected += surplus;
  }
  if (collected > 0) {
    stage.say(`${player.name} runs low, and the others pass on ${netText(collected)} of earnings.`);
  }
  return collected;
}

function metadataOf({ blobs }: Stage, { actorId, description, encryption }: Player): Blob {
  return agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId: actorId,
    description,
    encryptionKey: publicEncryptionKey(encryption),
    blobs: blobs.origins,
  });
}

export async function publishBeacon(stage: Stage, player: Player): Promise<void> {
  const { actorId, capabilities, name } = player;
  const [{ beaconSequence }, { height }] = await Promise.all([
    presentAgent(stage, player),
    stage.client.network(),
  ]);
  const metadataHash = await stage.blobs.put(player, metadataOf(stage, player).bytes);
  await act(stage, player, 'publishBeacon', {
    schema: 'NET-AGENT-BEACON/1',
    agentId: actorId,
    indexable: true,
    endpoint: `https://${name}.example/a2a`,
    capabilities,
    protocols: ['a2a/1.0'],
    metadataHash,
    expiresAtHeight: height + BEACON_LIFETIME,
    sequence: beaconSequence + 1,
  });
}

export async function presentAgent(stage: Stage, { actorId }: Player): Promise<AgentView> {
  const agent = await agentOf(stage, actorId);
  if (!agent) throw new CommandError(`${actorId} has joined and is not on the chain any more`);
  return agent;
}
