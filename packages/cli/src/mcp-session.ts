import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { writeOnce } from '@netd/engine/durable-file';
import { Agent, AgentKey, NetError, type SessionGrant } from '@netd/sdk';
import {
  defaultHome,
  ensureKeys,
  makeSessionFile,
  readsSealed,
  sessionText,
} from '@netd/sdk/internal';
import { namedOrigins } from './blob-origins.ts';
import { UnreachableError } from './command-error.ts';
import { defaultKeyDir, keyPath, listKeys } from './key-store.ts';
import { requireAction } from './known-action.ts';
import { openNode } from './node-address.ts';
import { MODEL_ACTIONS, SESSION_BLOCKS } from './session-defaults.ts';
import { openTalkingAgent, type AgentCommandOptions, type OpenedAgent } from './open-agent.ts';
import type { Terminal } from './terminal.ts';

interface PlannedAgent {
  agentId: string;
  description: string | undefined;
  chainId: string;
  url: string;
  isNew: boolean;
}

export interface PlannedSession extends PlannedAgent {
  sessionId: string;
  sessionPath: string;
  actions: readonly string[];
}

export interface SessionLimits {
  /** Total in unet that the session may spend. `maxAmount` is in unet too. */
  budget: number;
  maxAmount?: number;
  blocks: number;
  keyDir?: string;
}

export const newSessionId = (): string => `mcp-${randomBytes(4).toString('hex')}`;

export async function openOrJoin(
  { agentId, description, url, isNew }: PlannedAgent,
  options: AgentCommandOptions,
  terminal: Terminal,
): Promise<OpenedAgent> {
  const passphrase = process.env['NET_PASSPHRASE'];
  const blobs = namedOrigins(options);
  if (isNew) {
    const agent = await Agent.open(agentId, {
      url,
      keys: options.keyDir ?? defaultKeyDir(),
      memory: false,
      log: false,
      ...(description === undefined ? {} : { description }),
      ...(blobs ? { blobs } : {}),
      ...(passphrase === undefined ? {} : { passphrase }),
    });
    await agent.stop();
  }
  return openTalkingAgent({ ...options, as: agentId, url }, terminal);
}

/** Grants the session. Its key is written to disk before the chain knows it. */
export async function grantModelSession(
  { agentId, chainId, sessionId, sessionPath, actions }: PlannedSession,
  { budget, maxAmount, blocks, keyDir = defaultKeyDir() }: SessionLimits,
  { agent, client, actor }: OpenedAgent,
): Promise<void> {
  // Only the agent's own key can add these actions of the policy set.
  const onRequest = actions.filter((name) => requireAction(name).grant.AGENT === 'policy');
  if (onRequest.length > 0) {
    const payload = { agentId, actions: onRequest as never };
    await agent.act('extendAgentCapabilities', payload).catch((error: unknown) => {
      if (!(error instanceof NetError) || error.code !== 'CAPABILITIES_UNCHANGED') throw error;
    });
  }
  const home = defaultHome(chainId, agentId, keyDir);
  const passphrase = process.env['NET_PASSPHRASE'];
  const { encryption } = await ensureKeys(home, { chainId, actorId: agentId, passphrase });
  const of = { chainId, actorId: agentId, sessionId };
  const session = await makeSessionFile(of, readsSealed(actions, undefined) ? encryption : null);
  const { height } = await client.network();
  writeOnce(sessionPath, sessionText(session), 0o600);
  const granted = {
    key: await AgentKey.fromPem(session),
    sessionId,
    actions: actions as SessionGrant['actions'],
    budget,
    expiresAtHeight: height + blocks,
    label: 'netd mcp',
    ...(maxAmount === undefined ? {} : { maxAmount }),
  };
  await client.grantSession(actor, granted).catch((error: unknown) => {
    if (error instanceof NetError) rmSync(sessionPath, { force: true });
    throw error;
  });
}

export interface OwnSessionOptions {
  url: string;
  keyDir?: string;
  blobs?: string[];
  budget: number;
}

/**
 * Returns the path of the session's file. Does not renew an ended session, because its owner set the budget.
 * @throws UnreachableError if the node does not answer and there is not exactly one session of this name
 */
export async function ownSession(
  agentId: string,
  { url, keyDir = defaultKeyDir(), blobs, budget }: OwnSessionOptions,
  terminal: Terminal,
): Promise<string> {
  const keys = resolve(keyDir);
  const name = `${agentId}.session-mcp.json`;
  const options = { url, keyDir: keys, dataDir: '.netd', ...(blobs ? { blobs } : {}) };
  const { network } = await openNode(options, agentId).catch((error: unknown) => {
    const [found, ...more] = listKeys(keys).filter(({ path }) => basename(path) === name);
    if (!(error instanceof UnreachableError) || !found || more.length > 0) throw error;
    return { network: found };
  });
  const { chainId } = network;
  const path = join(keys, chainId, name);
  if (existsSync(path)) return path;
  const isNew = !existsSync(keyPath(keys, chainId, agentId));
  const planned = { agentId, description: undefined, chainId, url, isNew };
  const opened = await openOrJoin(planned, options, terminal);
  try {
    // Another process may have created it first.
    if (existsSync(path)) return path;
    const sessionId = newSessionId();
    const draft = `${path}.${sessionId}`;
    const session = { ...planned, sessionId, sessionPath: draft, actions: MODEL_ACTIONS };
    await grantModelSession(session, { budget, blocks: SESSION_BLOCKS, keyDir: keys }, opened);
    renameSync(draft, path);
    return path;
  } finally {
    await opened.agent.stop();
  }
}
