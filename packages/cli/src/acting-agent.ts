import { didYouMean } from '@netd/protocol';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '@netd/sdk';
import { Option, type Command } from 'commander';
import { CommandError, UsageError } from './command-error.ts';
import { readDataDirFacts } from './data-dir-facts.ts';
import { defaultKeyDir, keyPath, listKeys } from './key-store.ts';
import { addNodeOptions, openNode, type NodeOptions, type OpenNode } from './node-address.ts';
import { openKey, type OpenKey } from './open-key.ts';
import { programName } from './program-name.ts';

export interface ActorOptions extends NodeOptions {
  as?: string;
  key?: string;
}

export function addActorOptions(command: Command): Command {
  return addNodeOptions(
    addKeyOptions(
      command.addOption(
        new Option('--as <agent>', 'who acts (default: the only agent with a key here)').env(
          'NET_AGENT',
        ),
      ),
    ),
  );
}

function addKeyOptions(command: Command): Command {
  return command
    .option('--key-dir <path>', 'where keys lie (default: $NET_HOME or ~/.netd/keys)')
    .option(
      '--key <file>',
      'this key file: that of a session, or the operator key of a data directory',
    );
}

export interface Acting extends OpenNode {
  actor: Actor;
  /** True if the output is for a program, so that nothing but the answer is printed. */
  isQuiet: boolean;
}

export async function openAsActor(options: ActorOptions): Promise<Acting> {
  const given = options.key === undefined ? null : await openKey(options.key);
  const named = options.as ?? given?.actorId ?? null;
  const node = await openNode(options, named);
  const { chainId } = node.network;
  const actorId = named ?? onlyAgent(options, chainId);
  const path = options.key ?? pathOfKey(options, chainId, actorId);
  const found = given ?? (await openOwnKey(options, path, chainId, actorId));
  if (found.actorId !== actorId) {
    throw new UsageError(`the key file ${path} is that of ${found.actorId}, not of ${actorId}`);
  }
  if (found.chainId !== chainId) {
    throw new CommandError(
      `${path} is a key of ${found.chainId}, and ${node.client.url} is a node of ${chainId}; name the other node with --url`,
      'WRONG_CHAIN',
    );
  }
  const { key, sessionId } = found;
  const actor = { actorId, key, ...(sessionId === null ? {} : { sessionId }) };
  return { ...node, actor, isQuiet: options.json === true };
}

/** @throws UsageError if no key is named and the data directory has no operator's key */
export function asOperator<Options extends ActorOptions>(options: Options): Options {
  if (options.key !== undefined || options.as !== undefined) return options;
  const facts = readDataDirFacts(options.dataDir);
  const key = facts?.operatorKeyPath ?? join(options.dataDir, 'keys', 'operator.json');
  if (existsSync(key)) return { ...options, key };
  throw new UsageError(
    `there is no ${key}: name the data directory with the operator's key with -d, or a key with --key or --as`,
  );
}

/**
 * @param making command to suggest if there is no key yet
 * @throws UsageError unless the chain has exactly one key
 */
export function onlyAgent(options: ActorOptions, chainId: string, making = 'join NAME'): string {
  if (options.as !== undefined) return options.as;
  const agents = agentsOf(options.keyDir ?? defaultKeyDir(), chainId);
  const [only] = agents;
  if (only !== undefined && agents.length === 1) return only;
  throw new UsageError(
    agents.length === 0
      ? `there is no key for an agent of ${chainId} here; make one with: ${programName()} ${making}`
      : `say who acts with --as: there are keys for ${agents.join(', ')}`,
  );
}

function agentsOf(keyDir: string, chainId: string): string[] {
  return listKeys(keyDir)
    .filter((key) => key.chainId === chainId && key.sessionId === null)
    .map(({ actorId }) => actorId);
}

function pathOfKey(options: ActorOptions, chainId: string, actorId: string): string {
  const facts = readDataDirFacts(options.dataDir);
  return facts?.chainId === chainId && facts.operatorActorId === actorId
    ? facts.operatorKeyPath
    : keyPath(options.keyDir ?? defaultKeyDir(), chainId, actorId);
}

async function openOwnKey(
  options: ActorOptions,
  path: string,
  chainId: string,
  actorId: string,
): Promise<OpenKey> {
  if (existsSync(path)) return openKey(path);
  const keyDir = options.keyDir ?? defaultKeyDir();
  const elsewhere = listKeys(keyDir).filter((key) => key.actorId === actorId);
  const chains = elsewhere.map((key) => key.chainId);
  throw new UsageError(
    chains.length > 0
      ? `there is no key for ${actorId} on ${chainId}, the chain of this node; there is one for ${chains.join(', ')}: name that node with --url`
      : `there is no key for ${actorId} on ${chainId} at ${path}${didYouMean(actorId, agentsOf(keyDir, chainId)) || `; make one with: ${programName()} join ${actorId}`}`,
  );
}
