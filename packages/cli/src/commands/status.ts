import { NetError, type DocumentOf, type NetworkStatus } from '@netd/sdk';
import { quorumOf } from '@netd/protocol';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { ago } from '../times.ts';
import { addNodeOptions, openNode, type NodeOptions } from '../node-address.ts';
import { answer, factsText, listText } from '../output.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

type Votes = NonNullable<DocumentOf<'/health'>['validators']>;
type Following = NonNullable<DocumentOf<'/health'>['following']>;

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(command).action((options: NodeOptions) => status(options, terminal));
}

async function status(options: NodeOptions, terminal: Terminal): Promise<void> {
  const { client, network } = await openNode(options);
  const [health, topology, agents, work] = await Promise.all([
    client.read('/health'),
    client.read('/v1/topology').catch(unlessWithoutHistory),
    client.read('/v1/agents', { limit: 1 }),
    client.read('/v1/work-orders', { limit: 1 }),
  ]);
  const document = { url: client.url, network, health, topology };
  const healthy = health.status === 'ok';
  if (!healthy) terminal.exitCode = EXIT.failed;
  answer(terminal, options, document, () => {
    const { byStatus } = work;
    const word = terminal.paint(healthy ? 'green' : 'red', health.status);
    return `${terminal.paint('bold', printable(network.chainId))} at ${client.url}: ${word}\n${factsText(
      [
        ['height', `${network.height}, ${ago(network.timestamp)}`],
        ['state', network.stateRoot],
        ['genesis', network.genesisHash],
        [
          'mode',
          `${network.mode}${network.open ? ', open: unsigned payloads with its secret' : ''}`,
        ],
        network.laboratory
          ? ['laboratory', 'a chain for tests: a test sets its time, and its NET is worth nothing']
          : null,
        network.fork
          ? [
              'fork',
              `of ${network.fork.chainId} at block ${network.fork.height}: nothing signed here counts there`,
            ]
          : null,
        ['rules', rulesText(network)],
        health.following ? ['a follower', pace(health.following)] : null,
        health.faults.length === 0 ? null : ['faults', health.faults.map(String).join('; ')],
        topology && [
          'validators',
          `${topology.consensus.validators.map(({ validatorId }) => validatorId).join(', ')}; final with ${topology.consensus.quorum} of ${topology.consensus.totalVotingPower} votes`,
        ],
        [
          'takes part',
          `${agents.active} active agents${topology ? reporting(topology) : '; who reports is in blocks that this follower does not have yet'}`,
        ],
        [
          'work',
          `${byStatus.OPEN} open, ${byStatus.ACCEPTED} taken, ${byStatus.VERIFYING} being verified, ${byStatus.PAID} paid, ${byStatus.REJECTED} not paid`,
        ],
        ['version', network.version],
      ],
    )}${health.validators ? `\n\n${validatorTable(terminal, health.validators)}` : ''}`;
  });
}

function rulesText({
  rules,
  height,
}: Pick<NetworkStatus, 'height'> & { rules?: NetworkStatus['rules'] }): string {
  if (!rules) return 'version 1';
  const name = rules.name === null ? '' : ` (${printable(rules.name)})`;
  const { scheduled } = rules;
  const next = scheduled
    ? `; version ${scheduled.version} is scheduled for block ${scheduled.height}, after ${Math.max(0, scheduled.height - height - 1)} more blocks, with the release ${scheduled.artifactHash}`
    : '';
  return `version ${rules.version}${name}${next}`;
}

function validatorTable(terminal: Terminal, { validators, window, quorumMargin }: Votes): string {
  const rows = validators.map((each) => [
    printable(each.validatorId),
    String(each.votingPower),
    `${each.signed} of ${each.signed + each.missed}`,
    String(each.proposed),
    each.lastVote === null ? 'never seen' : ago(each.lastVote),
    each.isDown ? 'down' : 'votes',
  ]);
  const heading = ['validator', 'power', 'signed', 'proposed', 'last vote', ''];
  const margin = marginText(validators, quorumMargin);
  return `${listText(terminal, heading, rows, { empty: '' })}\n  over the last ${window} heights of CometBFT; ${margin}`;
}

export function marginText(
  validators: readonly Pick<Votes['validators'][number], 'votingPower' | 'isDown'>[],
  quorumMargin: number,
): string {
  if (quorumMargin > 0) return `${quorumMargin} more can stop while blocks are decided`;
  const sum = (those: typeof validators): number =>
    those.reduce((total, { votingPower }) => total + votingPower, 0);
  const isEnough = sum(validators.filter(({ isDown }) => !isDown)) >= quorumOf(sum(validators));
  return isEnough
    ? 'if one more stops, no block is decided'
    : 'too few vote, and no block is decided';
}

function pace({ behind, origins }: Following): string {
  const { active, backoff, banned } = origins;
  const asked = `${active} of the ${active + backoff + banned} nodes that it follows`;
  return behind === null
    ? 'none of those that it follows answers'
    : `${behind} blocks behind ${asked}`;
}

function reporting({ totals }: DocumentOf<'/v1/topology'>): string {
  const { nodesReporting, validatorsReporting, runtimeProviders } = totals;
  return `, ${nodesReporting} nodes and ${validatorsReporting} candidates reporting, ${runtimeProviders} runtime providers`;
}

function unlessWithoutHistory(error: unknown): null {
  if (error instanceof NetError && error.code === 'HISTORY_NOT_HELD') return null;
  throw error;
}
