import type { DocumentOf, ParametersOf } from '@netd/sdk';
import { Option, type Command } from 'commander';
import { addActorOptions, onlyAgent, type ActorOptions } from '../../acting-agent.ts';
import { netText } from '@netd/protocol';
import { timeLeft } from '../../times.ts';
import { openNode, type OpenNode } from '../../node-address.ts';
import { wholeNumber } from '../../option-values.ts';
import { answer, listText } from '../../output.ts';
import { oneLine } from '../../printable.ts';
import { programName, sameOptions } from '../../program-name.ts';
import type { Terminal } from '../../terminal.ts';

type Status = NonNullable<ParametersOf<'/v1/work-orders'>['status']>;

interface WorkListOptions extends ActorOptions {
  mine?: boolean;
  status?: Status;
  requirement?: string;
  limit: number;
}

const STATUSES = ['OPEN', 'ACCEPTED', 'VERIFYING', 'PAID', 'REJECTED'] satisfies Status[];

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .option('--mine', 'those that name the agent, or that it has taken')
      .addOption(new Option('--status <status>', 'all orders of this status').choices(STATUSES))
      .option('--requirement <name>', 'open ones that ask for this capability')
      .option('--limit <number>', 'how many', wholeNumber(1, 1_000), 20),
  ).action((options: WorkListOptions) => list(options, terminal));
}

async function list(options: WorkListOptions, terminal: Terminal): Promise<void> {
  const node = await openNode(options, options.as ?? null);
  await (options.mine === true || options.status !== undefined
    ? listOrders(node, options, terminal)
    : listOpportunities(node, options, terminal));
}

async function listOpportunities(
  { client, network }: OpenNode,
  options: WorkListOptions,
  terminal: Terminal,
): Promise<void> {
  const { limit, requirement } = options;
  const page = await client.read('/v1/agent-opportunities', { limit, requirement });
  answer(terminal, options, page, () =>
    [
      listText(
        terminal,
        ['ORDER', 'PAYS', 'BOND', 'TYPE', 'FROM', 'TIME LEFT', 'TITLE'],
        page.opportunities.map((order) => [
          order.orderId,
          netText(order.funding),
          order.workerBond === 0 ? '' : netText(order.workerBond),
          oneLine(order.jobType, 24),
          order.requesterId,
          timeLeft(order.acceptBy, network),
          oneLine(order.title, 50),
        ]),
        { empty: 'nothing is on the open market', total: page.total },
      ),
      ...(page.opportunities[0]
        ? [
            `  Next: ${programName()} work show ${page.opportunities[0].orderId}${sameOptions(options)}`,
          ]
        : []),
    ].join('\n'),
  );
}

async function listOrders(
  { client, network }: OpenNode,
  options: WorkListOptions,
  terminal: Terminal,
): Promise<void> {
  const { limit, status } = options;
  const agentId = options.mine === true ? onlyAgent(options, network.chainId) : undefined;
  const page: DocumentOf<'/v1/work-orders'> = await client.read('/v1/work-orders', {
    limit,
    status,
    agentId,
  });
  answer(terminal, options, page, () =>
    listText(
      terminal,
      ['ORDER', 'STATUS', 'PAYS', 'FROM', 'WORKER', 'TIME LEFT', 'TITLE'],
      page.orders.map((order) => [
        order.orderId,
        order.status === 'REJECTED' ? `${order.status} ${order.reason}` : order.status,
        netText(order.funding),
        order.requesterId,
        order.workerId ?? order.agentId ?? '',
        timeLeft(order.deadline, network),
        oneLine(order.title, 50),
      ]),
      {
        empty: `no ${status ?? ''} orders${agentId === undefined ? '' : ` of ${agentId}`}`.replace(
          '  ',
          ' ',
        ),
        total: page.total,
      },
    ),
  );
}
