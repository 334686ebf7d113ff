import { NetError, type NetClient } from '@netd/sdk';
import type { Command } from 'commander';
import { addActorOptions, asOperator, openAsActor, type ActorOptions } from '../acting-agent.ts';
import { approveLine } from '../approve-line.ts';
import { openNode } from '../node-address.ts';
import { answer, listText } from '../output.ts';
import { ONLY_CANDIDATE, requireChangingSet } from './apply.ts';
import { oneLine } from '../printable.ts';
import { receiptText, submitAction } from '../submit-action.ts';
import type { Terminal } from '../terminal.ts';

interface ApproveOptions extends ActorOptions {
  group?: string;
}

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .argument('[application]', 'its id; without one, those that wait are listed')
      .option(
        '--group <name>',
        'the group that the applicant belongs to: verifiers and auditors of one group count once',
      ),
  ).action((application: string | undefined, given: ApproveOptions) => {
    const { as, ...others } = given;
    // Ignore NET_AGENT, because it names an agent, and only operators approve.
    const isSaid = as !== undefined && command.getOptionValueSource('as') !== 'env';
    const options = isSaid ? given : others;
    return application === undefined
      ? list(options, terminal)
      : approve(application, options, terminal);
  });
}

async function list(options: ApproveOptions, terminal: Terminal): Promise<void> {
  const { client } = await openNode(options);
  const page = await client.read('/v1/operator-applications', { status: 'PENDING', limit: 100 });
  answer(terminal, options, page, () =>
    [
      listText(
        terminal,
        ['APPLICATION', 'WHO', 'ROLE', 'UNTIL', 'PROFILE'],
        page.applications.map((one) => [
          one.applicationId,
          one.actorId,
          one.role,
          `height ${one.expiresAtHeight}`,
          oneLine(JSON.stringify(one.profile), 60),
        ]),
        { empty: 'no application is waiting', total: page.total },
      ),
      ...(page.applications[0] ? [`  Next: ${approveLine(page.applications[0], options)}`] : []),
    ].join('\n'),
  );
}

async function approve(
  applicationId: string,
  options: ApproveOptions,
  terminal: Terminal,
): Promise<void> {
  const { group: independenceGroup } = options;
  const acting = await openAsActor(asOperator(options));
  const pending = await findPending(acting.client, applicationId);
  const isCandidate =
    pending?.role === 'VALIDATOR' && (await requireChangingSet(acting)) === 'solo';
  const payload = {
    applicationId,
    ...(independenceGroup === undefined ? {} : { independenceGroup }),
  };
  const receipt = await submitAction(acting, 'createOperatorInvitation', payload, terminal).catch(
    (error: unknown) => {
      if (pending && error instanceof NetError && error.code === 'INDEPENDENCE_GROUP_INVALID') {
        error.message += `\n  Try: ${approveLine(pending, options)}`;
      }
      throw error;
    },
  );
  answer(terminal, options, receipt, () =>
    [
      receiptText(acting, 'createOperatorInvitation', receipt),
      ...(isCandidate ? [`  ${ONLY_CANDIDATE}`] : []),
    ].join('\n'),
  );
}

interface Pending {
  applicationId: string;
  actorId: string;
  role: string;
}

async function findPending(client: NetClient, applicationId: string): Promise<Pending | null> {
  for await (const page of client.pages('/v1/operator-applications', { status: 'PENDING' })) {
    const found = page.applications.find((one) => one.applicationId === applicationId);
    if (found) return found;
  }
  return null;
}
