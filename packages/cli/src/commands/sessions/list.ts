import type { Command } from 'commander';
import { addActorOptions, onlyAgent, type ActorOptions } from '../../acting-agent.ts';
import { netText } from '@netd/protocol';
import { openNode } from '../../node-address.ts';
import { answer, listText } from '../../output.ts';
import { oneLine } from '../../printable.ts';
import type { Terminal } from '../../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(command).action((options: ActorOptions) => list(options, terminal));
}

async function list(options: ActorOptions, terminal: Terminal): Promise<void> {
  const { client, network } = await openNode(options, options.as ?? null);
  const agentId = onlyAgent(options, network.chainId);
  const { sessions } = await client.read('/v1/agents/{agentId}', { agentId });
  answer(terminal, options, { agentId, sessions }, () =>
    listText(
      terminal,
      ['SESSION', 'SPENT', 'OF', 'BLOCKS LEFT', 'MAY', 'LABEL'],
      sessions.map((session) => [
        session.sessionId,
        netText(session.spent),
        netText(session.budget),
        String(Math.max(0, session.expiresAtHeight - network.height)),
        session.actions.join(', '),
        oneLine(session.label ?? '', 40),
      ]),
      { empty: `${agentId} has granted no session that lives` },
    ),
  );
}
