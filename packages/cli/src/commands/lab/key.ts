import { defaultHome } from '@netd/sdk/internal';
import { DEFAULT_SEED, labKey } from '@netd/sdk/test';
import type { Command } from 'commander';
import { requireAgentName } from '../../agent-name.ts';
import { CommandError } from '../../command-error.ts';
import { defaultKeyDir, keyPath } from '../../key-store.ts';
import { addNodeOptions, openNode, type NodeOptions } from '../../node-address.ts';
import { answer, factsText } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface KeyOptions extends NodeOptions {
  seed: string;
}

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command
      .argument('<agent>', 'whose key it is')
      .option('--seed <text>', 'what the key is derived from, beside the name', DEFAULT_SEED)
      .option('--key-dir <path>', 'where keys lie (default: $NET_HOME or ~/.netd/keys)'),
  ).action((agent: string, options: KeyOptions) => writeKey(agent, options, terminal));
}

async function writeKey(agent: string, options: KeyOptions, terminal: Terminal): Promise<void> {
  requireAgentName(agent);
  const { network } = await openNode(options);
  const { chainId } = network;
  if (!network.laboratory) {
    throw new CommandError(
      `${chainId} is no laboratory, and this key is known to all: make one with netd keys new`,
      'NOT_A_LABORATORY',
    );
  }
  const keys = options.keyDir ?? defaultKeyDir();
  const path = keyPath(keys, chainId, agent);
  const pair = labKey(agent, options.seed);
  const file = { schema: 'NET-AGENT-KEY/1', chainId, actorId: agent, ...pair };
  const home = defaultHome(chainId, agent, keys);
  await home.writeSecret(agent, `${JSON.stringify(file, null, 2)}\n`);
  const { publicKeyHash } = JSON.parse((await home.readSecret(agent)) ?? '{}') as typeof file;
  if (publicKeyHash !== pair.publicKeyHash) {
    throw new CommandError(
      `${path} is there already with another key, and a key is never written over`,
      'KEY_EXISTS',
    );
  }
  const { publicKey } = pair;
  answer(terminal, options, { chainId, actorId: agent, path, publicKey, publicKeyHash }, () =>
    [
      `The key of ${agent} in laboratories with this seed is there, for ${chainId}.`,
      factsText([
        ['file', path],
        ['hash', publicKeyHash],
      ]),
      'It is known to all: never use it on a chain that is no laboratory.',
    ].join('\n'),
  );
}
