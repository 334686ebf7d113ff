/** `netd sessions grant`: a key that may be stolen, because of all that it may not do. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyFile, writeOnce } from '@netd/node/keys';
import { AgentKey, NetError, type SessionFile, type SessionGrant } from '@netd/sdk';
import { InvalidArgumentError, type Command } from 'commander';
import { addActorOptions, openAsActor, type ActorOptions } from '../../acting-agent.ts';
import { net, parseAmount } from '../../amounts.ts';
import { CommandError } from '../../command-error.ts';
import { defaultKeyDir } from '../../key-store.ts';
import { wholeNumber } from '../../option-values.ts';
import { answer } from '../../output.ts';
import { programName } from '../../program-name.ts';
import { unlessInterrupted } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';

interface GrantOptions extends ActorOptions {
  actions: string;
  budget: number;
  maxAmount?: number;
  blocks: number;
  label?: string;
  out?: string;
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
      .option('--out <file>', 'where its key file goes (default: beside that of the agent)'),
  ).action((sessionId: string, options: GrantOptions) => grant(sessionId, options, terminal));
}

async function grant(sessionId: string, options: GrantOptions, terminal: Terminal): Promise<void> {
  const acting = await openAsActor(options);
  const { actor, network } = acting;
  const { actorId } = actor;
  const { chainId } = network;
  const file = generateKeyFile(chainId, actorId);
  const path =
    options.out ??
    join(
      options.keyDir ?? defaultKeyDir(),
      chainId,
      `${actorId}.session-${encodeURIComponent(sessionId)}.json`,
    );
  const { budget, maxAmount, label } = options;
  const expiresAtHeight = network.height + options.blocks;
  // Before it is granted: a session whose key is lost could only be revoked.
  const { publicKey, publicKeyHash, privateKey } = file;
  const session: SessionFile = {
    schema: 'NET-SESSION-FILE/1',
    chainId,
    actorId,
    sessionId,
    publicKey,
    publicKeyHash,
    privateKey,
    // It acts; what is sealed to the agent stays with the agent.
    encryptionKey: null,
  };
  if (existsSync(path)) throw new CommandError(`${path} is there already`, 'KEY_EXISTS');
  writeOnce(path, `${JSON.stringify(session, null, 2)}\n`, 0o600);
  const receipt = await unlessInterrupted(
    acting.client.grantSession(actor, {
      key: await AgentKey.fromPem(file),
      sessionId,
      actions: options.actions.split(',') as SessionGrant['actions'],
      budget,
      expiresAtHeight,
      ...(maxAmount === undefined ? {} : { maxAmount }),
      ...(label === undefined ? {} : { label }),
    }),
    'grantSession',
    actorId,
    terminal,
  ).catch((error: unknown) => {
    // Refused: nobody will ever know this key.
    if (error instanceof NetError) rmSync(path, { force: true });
    throw error;
  });
  answer(terminal, options, { receipt, path }, () =>
    [
      `${sessionId} may do ${options.actions} for ${actorId}, spend ${net(budget)} in all, until height ${expiresAtHeight}.`,
      `  key    ${path}  (a thief of it gets no further than that)`,
      `  use    ${programName()} act ${actorId} ${options.actions.split(',')[0]} --key '${path}'`,
      `  end    ${programName()} sessions revoke ${sessionId} --as ${actorId}`,
    ].join('\n'),
  );
}

function amount(text: string): number {
  const unet = parseAmount(text);
  if (unet === null) throw new InvalidArgumentError('Write 5NET, 0.5NET or whole unet.');
  return unet;
}
