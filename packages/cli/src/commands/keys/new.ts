import { existsSync } from 'node:fs';
import { ensureKeyFile } from '@netd/node/keys';
import { ChainId, compileSchema } from '@netd/protocol';
import type { Command } from 'commander';
import { requireAgentName } from '../../agent-name.ts';
import { CommandError, UsageError } from '../../command-error.ts';
import { defaultKeyDir, keyPath } from '../../key-store.ts';
import { addNodeOptions, openNode, type NodeOptions } from '../../node-address.ts';
import { answer, factsText } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface NewKeyOptions extends NodeOptions {
  chain?: string;
}

const isNoChainId = compileSchema(ChainId);

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command
      .argument('<agent>', 'whose key it will be')
      .option('--key-dir <path>', 'where keys lie (default: $NET_HOME or ~/.netd/keys)')
      .option('--chain <id>', 'the chain that it is for (default: that of the node)'),
  ).action((agent: string, options: NewKeyOptions) => newKey(agent, options, terminal));
}

async function newKey(agent: string, options: NewKeyOptions, terminal: Terminal): Promise<void> {
  requireAgentName(agent);
  const chainId = options.chain ?? (await openNode(options)).network.chainId;
  if (isNoChainId(chainId)) throw new UsageError(`"${chainId}" cannot be the id of a chain`);
  const path = keyPath(options.keyDir ?? defaultKeyDir(), chainId, agent);
  if (existsSync(path)) {
    throw new CommandError(
      `${path} is there already, and a key is never written over`,
      'KEY_EXISTS',
    );
  }
  const { actorId, publicKey, publicKeyHash } = ensureKeyFile(path, chainId, agent);
  answer(terminal, options, { chainId, actorId, path, publicKey, publicKeyHash }, () =>
    [
      `Made a key for ${actorId} on ${chainId}.`,
      factsText([
        ['file', path],
        ['hash', publicKeyHash],
      ]),
      `Keep the file: its holder can act as ${actorId}. The key is unknown to the chain until it is registered.`,
    ].join('\n'),
  );
}
