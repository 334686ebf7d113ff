import { agentMetadata } from '@netd/formats';
import { Agent, type AgentOptions } from '@netd/sdk';
import { defaultHome, ensureKeys, readSession } from '@netd/sdk/internal';
import type { Command } from 'commander';
import { addActorOptions, openAsActor, type Acting, type ActorOptions } from './acting-agent.ts';
import { addBlobOptions, namedOrigins, type BlobOptions } from './blob-origins.ts';
import { CommandError, UsageError } from './command-error.ts';
import { defaultKeyDir } from './key-store.ts';
import { programName } from './program-name.ts';
import type { Terminal } from './terminal.ts';
import { whileNodeAnswers } from './while-node-answers.ts';

export interface AgentCommandOptions extends ActorOptions, BlobOptions {}

export function addAgentOptions(command: Command): Command {
  return addActorOptions(addBlobOptions(command));
}

export interface OpenedAgent extends Acting {
  agent: Agent;
  /** Stops warnings, because the command's error has the reason. */
  hush: () => void;
}

/**
 * Opens the agent without a beacon. The caller must stop it.
 * @throws as `openAsActor`; AgentError AGENT_RUNNING if another program runs it
 */
export async function openAgent(
  options: AgentCommandOptions,
  terminal: Terminal,
  more: Pick<AgentOptions, 'memory'> = { memory: false },
): Promise<OpenedAgent> {
  const acting = await openAsActor(options);
  const { actor } = acting;
  const how = { ...settings(options, acting), ...more, beacon: false };
  if (options.key !== undefined && actor.sessionId === undefined) {
    throw new UsageError(
      'this needs the keys of the agent: name their directory with --key-dir, or a session file with --key',
    );
  }
  const agent = await whileItOpens(acting, (signal) =>
    options.key === undefined
      ? Agent.open(actor.actorId, { ...how, signal })
      : Agent.openSession(options.key, { ...how, signal }),
  );
  return { ...acting, agent, hush: tellWarnings(agent, terminal) };
}

/**
 * Opens the agent with a beacon that has its X25519 key, so that others can answer. Keeps the rest of the
 * beacon.
 */
export async function openTalkingAgent(
  options: AgentCommandOptions,
  terminal: Terminal,
): Promise<OpenedAgent> {
  const opened = await openAgent(options, terminal);
  const { agent, actor, client } = opened;
  const {
    agent: facts,
    beacon,
    beaconSequence,
  } = await client.read('/v1/agents/{agentId}', {
    agentId: actor.actorId,
  });
  const said = beacon as Beacon | null;
  const own = await ownKey(options, opened);
  // A session without the key can send messages, but not read them.
  if (own === null || (said && (await publishedKey(agent, said)) === own)) return opened;
  await agent.stop();
  if (actor.sessionId !== undefined) {
    throw new CommandError(
      `the beacon of ${actor.actorId} does not name the key that others seal to, and a session leaves it as it is: run ${programName()} message once with the key of the agent`,
      'BEACON_WITHOUT_KEY',
    );
  }
  const endpoint =
    said?.endpoint.endsWith(`/blobs/${said.metadataHash}`) === true ? null : said?.endpoint;
  const talking = await whileItOpens(opened, (signal) =>
    Agent.open(actor.actorId, {
      ...settings(options, opened),
      signal,
      memory: false,
      description: facts.description,
      ...(said ? { capabilities: said.capabilities, protocols: said.protocols } : {}),
      ...(endpoint ? { endpoint } : {}),
    }),
  );
  const now = await client.read('/v1/agents/{agentId}', { agentId: actor.actorId });
  // The agent publishes no beacon if no store has its metadata.
  if (now.beaconSequence > beaconSequence) {
    terminal.note(`published the beacon of ${actor.actorId} with the key that others seal to`);
  }
  return { ...opened, agent: talking, hush: tellWarnings(talking, terminal) };
}

/**
 * Opens an agent with a time limit, because it would wait forever for an absent node.
 * @throws UnreachableError after a long outage; nothing stays open
 */
async function whileItOpens(
  { client }: Acting,
  open: (signal: AbortSignal) => Promise<Agent>,
): Promise<Agent> {
  const controller = new AbortController();
  const opening = open(controller.signal);
  try {
    return await whileNodeAnswers(client, opening);
  } catch (error) {
    controller.abort(error);
    await opening.then((agent) => agent.stop()).catch(() => {});
    throw error;
  }
}

interface Beacon {
  endpoint: string;
  capabilities: string[];
  protocols: string[];
  metadataHash: string;
}

function settings(options: AgentCommandOptions, { client }: Acting): AgentOptions {
  const blobs = namedOrigins(options);
  const passphrase = process.env['NET_PASSPHRASE'];
  return {
    url: client.url,
    keys: options.keyDir ?? defaultKeyDir(),
    log: false,
    ...(blobs ? { blobs } : {}),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

const tellWarnings = (agent: Agent, terminal: Terminal): (() => void) =>
  agent.on('warning', ({ message }) => terminal.note(`netd: ${message}`));

async function publishedKey(agent: Agent, { metadataHash }: Beacon): Promise<string | null> {
  try {
    const bytes = await agent.fetch(metadataHash);
    return agentMetadata.read(bytes, metadataHash).encryptionKey.kid;
  } catch {
    return null;
  }
}

/** Returns the id of the local key; null if the session has none. */
async function ownKey(
  options: AgentCommandOptions,
  { actor, network }: Acting,
): Promise<string | null> {
  if (options.key !== undefined) return (await readSession(options.key)).encryptionKey?.kid ?? null;
  const { chainId } = network;
  const { actorId } = actor;
  const home = defaultHome(chainId, actorId, options.keyDir ?? defaultKeyDir());
  const passphrase = process.env['NET_PASSPHRASE'];
  const { encryption } = await ensureKeys(home, { chainId, actorId, passphrase });
  return encryption[0].kid;
}
