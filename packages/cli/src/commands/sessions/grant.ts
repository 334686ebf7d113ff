import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Keyring } from '@netd/formats';
import { writeOnce } from '@netd/engine/durable-file';
import { AgentKey, NetError, type SessionFile, type SessionGrant } from '@netd/sdk';
import {
  defaultHome,
  ensureKeys,
  makeSessionFile,
  readsSealed,
  missingSealingKey,
  sessionText,
} from '@netd/sdk/internal';
import type { Command } from 'commander';
import {
  addActorOptions,
  openAsActor,
  type Acting,
  type ActorOptions,
} from '../../acting-agent.ts';
import { namedOrigins } from '../../blob-origins.ts';
import { netText } from '@netd/protocol';
import { CommandError, UsageError } from '../../command-error.ts';
import { defaultKeyDir, keyPath } from '../../key-store.ts';
import { requireAction } from '../../known-action.ts';
import { amount, wholeNumber } from '../../option-values.ts';
import { answer } from '../../output.ts';
import { programName, sameNode, sameOptions, shellWord } from '../../program-name.ts';
import { noteAmounts, unlessInterrupted } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';

interface GrantOptions extends ActorOptions {
  actions: string;
  budget: number;
  maxAmount?: number;
  blocks: number;
  label?: string;
  out?: string;
  readsSealed?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .argument('<session>', 'its id')
      .requiredOption('--actions <names>', 'what it may do, with commas between')
      .requiredOption('--budget <amount>', 'what it may spend in all, for example 5NET', amount)
      .option('--max-amount <amount>', 'what one action may spend', amount)
      .option('--blocks <number>', 'how long it lasts', wholeNumber(1, 10_000_000), 1_000)
      .option('--label <text>', 'what it is for; public')
      .option('--reads-sealed', 'it reads content sealed to the agent: messages, scopes, memory')
      .option(
        '--no-reads-sealed',
        'it does not (default: it does if its actions are about messages or memory)',
      )
      .option('--out <file>', 'path of its key file (default: beside that of the agent)'),
  ).action((sessionId: string, options: GrantOptions) => grant(sessionId, options, terminal));
}

async function grant(sessionId: string, options: GrantOptions, terminal: Terminal): Promise<void> {
  for (const name of options.actions.split(',')) requireAction(name);
  const acting = await openAsActor(options);
  const { actor, network } = acting;
  const { actorId } = actor;
  const { chainId } = network;
  // Use an absolute path, because a client may start in any folder.
  const path = resolve(
    options.out ??
      join(
        options.keyDir ?? defaultKeyDir(),
        chainId,
        `${actorId}.session-${encodeURIComponent(sessionId)}.json`,
      ),
  );
  const { budget, maxAmount, label } = options;
  const expiresAtHeight = network.height + options.blocks;
  // Write the key before the grant, because a session without its key could only be revoked.
  const of = { chainId, actorId, sessionId };
  const session = await makeSessionFile(of, await keysToRead(options, acting));
  if (existsSync(path)) throw new CommandError(`${path} is there already`, 'KEY_EXISTS');
  writeOnce(path, sessionText(session), 0o600);
  const most = maxAmount === undefined ? {} : { maxAmount };
  noteAmounts(acting, 'grantSession', { budget, ...most }, terminal);
  const receipt = await unlessInterrupted(
    acting.client.grantSession(actor, {
      key: await AgentKey.fromPem(session),
      sessionId,
      actions: options.actions.split(',') as SessionGrant['actions'],
      budget,
      expiresAtHeight,
      ...most,
      ...(label === undefined ? {} : { label }),
    }),
    'grantSession',
    { ...options, actorId },
    terminal,
  ).catch((error: unknown) => {
    if (error instanceof NetError) rmSync(path, { force: true });
    throw error;
  });
  const unpublished = (await publishesNoKey(session, acting))
    ? [
        `  but    ${actorId} publishes no key yet, so no agent can write to it: ${programName()} message --read --as ${actorId} publishes one`,
      ]
    : [];
  answer(terminal, options, { receipt, path }, () =>
    [
      `${sessionId} may do ${options.actions} for ${actorId}, spend ${netText(budget)} in all, until height ${expiresAtHeight}.`,
      `  key    ${path}  (a thief of it gets no further than that)`,
      session.encryptionKey
        ? '  reads  content sealed to the agent; so can any holder of the file, also when the session is over'
        : '  reads  nothing that is sealed to the agent',
      ...unpublished,
      `  use    ${programName()} act ${actorId} ${options.actions.split(',')[0]} --key ${shellWord(path)}${sameNode(options.url)}`,
      `  end    ${programName()} sessions revoke ${shellWord(sessionId)}${sameOptions({ ...options, as: actorId })}`,
    ].join('\n'),
  );
}

/** Returns true if the agent has no beacon, so that others cannot seal content to its key. */
async function publishesNoKey(
  { encryptionKey }: SessionFile,
  { actor: { actorId: agentId }, client }: Acting,
): Promise<boolean> {
  if (encryptionKey === null) return false;
  return (await client.read('/v1/agents/{agentId}', { agentId })).beacon === null;
}

/**
 * Returns the agent's X25519 keys if the session needs them. They open past and future content, even after
 * the session is revoked.
 */
async function keysToRead(
  options: GrantOptions,
  { actor, network, client }: Acting,
): Promise<Keyring | null> {
  if (!readsSealed(options.actions.split(','), options.readsSealed)) return null;
  const { actorId } = actor;
  const { chainId } = network;
  const keyDir = options.keyDir ?? defaultKeyDir();
  if (options.key !== undefined || !existsSync(keyPath(keyDir, chainId, actorId))) {
    throw new UsageError(
      'a session that reads sealed content gets a key that is stored with that of the agent: name the directory with --key-dir, or say --no-reads-sealed',
    );
  }
  const passphrase = process.env['NET_PASSPHRASE'];
  const home = defaultHome(chainId, actorId, keyDir);
  const blobs = namedOrigins(options);
  const missing = await missingSealingKey(
    { agentId: actorId, key: actor.key },
    { client, home },
    blobs === undefined ? {} : { blobs },
  );
  if (missing) throw missing;
  const { encryption } = await ensureKeys(home, { chainId, actorId, passphrase });
  return encryption;
}
