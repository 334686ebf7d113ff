import type { Command } from 'commander';
import { addActorOptions, onlyAgent, type ActorOptions } from '../acting-agent.ts';
import { openNode } from '../node-address.ts';
import { wholeNumber } from '../option-values.ts';
import { answer, listText } from '../output.ts';
import type { Terminal } from '../terminal.ts';

interface MemoryOptions extends ActorOptions {
  limit: number;
}

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .argument('[agent]', 'whose (default: the only agent with a key here)')
      .option('--limit <number>', 'how many, the newest first', wholeNumber(1, 1_000), 20),
  ).action((agent: string | undefined, options: MemoryOptions) => memory(agent, options, terminal));
}

async function memory(
  agent: string | undefined,
  options: MemoryOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, network } = await openNode(options, agent ?? options.as ?? null);
  const agentId = agent ?? onlyAgent(options, network.chainId);
  const page = await client.read('/v1/memory/checkpoints', { agentId, limit: options.limit });
  answer(terminal, options, page, () =>
    listText(
      terminal,
      ['GENERATION', 'HEIGHT', 'BYTES', 'CHUNKS', 'BUNDLE', 'KEPT BY'],
      page.checkpoints.map((checkpoint) => [
        String(checkpoint.generation),
        String(checkpoint.committedAt.height),
        String(checkpoint.byteLength),
        String(checkpoint.chunkCount),
        `${checkpoint.storageReplicas[0]?.bundleHash.slice(0, 16) ?? ''}…`,
        checkpoint.storageReplicas.map(({ providerId }) => providerId).join(', '),
      ]),
      { empty: `${agentId} has committed no memory yet`, total: page.total },
    ),
  );
}
