import type { Command } from 'commander';
import { netText } from '@netd/protocol';
import { addNodeOptions, openNode, type NodeOptions } from '../node-address.ts';
import { answer, factsText, listText } from '../output.ts';
import { wholeNumber } from '../option-values.ts';
import { oneLine } from '../printable.ts';
import { readAgent } from '../read-agent.ts';
import type { Terminal } from '../terminal.ts';

interface AgentsOptions extends NodeOptions {
  limit: number;
  capability?: string;
}

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command
      .argument('[agent]', 'show this one')
      .option('--capability <name>', 'only agents whose beacon offers this')
      .option('--limit <number>', 'how many, the newest first', wholeNumber(1, 1_000), 20),
  ).action((agent: string | undefined, options: AgentsOptions) =>
    agent === undefined ? listAgents(options, terminal) : showAgent(agent, options, terminal),
  );
}

async function listAgents(options: AgentsOptions, terminal: Terminal): Promise<void> {
  const { client } = await openNode(options);
  const { limit, capability } = options;
  if (capability !== undefined) {
    const page = await client.read('/v1/agent-directory', { capability, limit });
    answer(terminal, options, page, () =>
      listText(
        terminal,
        ['AGENT', 'STATUS', 'DONE', 'OFFERS', 'ENDPOINT'],
        page.agents.map(({ agentId, status, verifiedOrders, capabilities, endpoint }) => [
          agentId,
          status,
          String(verifiedOrders),
          oneLine(capabilities.join(', '), 40),
          endpoint,
        ]),
        { empty: `no beacon offers ${capability}`, total: page.total },
      ),
    );
    return;
  }
  const page = await client.read('/v1/agents', { limit });
  answer(terminal, options, page, () =>
    listText(
      terminal,
      ['AGENT', 'STATUS', 'BEACON', 'SINCE', 'DESCRIPTION'],
      page.agents.map(({ agentId, status, beacon, registeredAt, description }) => [
        agentId,
        status,
        beacon,
        `height ${registeredAt.height}`,
        oneLine(description, 60),
      ]),
      { empty: 'no agent has joined yet', total: page.total },
    ),
  );
}

async function showAgent(
  agentId: string,
  options: AgentsOptions,
  terminal: Terminal,
): Promise<void> {
  const node = await openNode(options);
  const document = await readAgent(node, agentId);
  const { agent, account, authority, beacon, referral, sessions } = document;
  answer(terminal, options, document, () => {
    const offers = beacon as { capabilities?: string[]; endpoint?: string } | null;
    return `${terminal.paint('bold', agent.agentId)}  ${oneLine(agent.description)}\n${factsText([
      ['status', `${agent.status}, registered at height ${agent.registeredAt.height}`],
      ['balance', netText(account.balance)],
      ['offers', offers ? `${offers.capabilities?.join(', ')} at ${offers.endpoint}` : 'no beacon'],
      ['roles', authority.roles.join(', ')],
      ['may', authority.capabilities.map(({ action }) => action).join(', ')],
      ['key', authority.publicKeyHash],
      referral && ['recruited by', `${referral.referrerAgentId}, ${referral.status}`],
      sessions.length === 0
        ? null
        : ['sessions', sessions.map(({ sessionId }) => sessionId).join(', ')],
    ])}`;
  });
}
