import { CommandError } from '../../command-error.ts';
import type { Player } from '../cast.ts';
import { secondsUntil } from '../chain-time.ts';
import { act, expectRefusal, pause, until, type Stage } from '../stage.ts';
import { COMPONENT, contributionIdOf, contributionOf } from './contribution.ts';
import { heartbeats, waitFor } from './heartbeats.ts';
import { earners } from './stake.ts';
import { proposalDetail, proposalIdOf } from './vote.ts';
import type { Round } from './work.ts';

const RETRY_MILLISECONDS = 500;

export async function release(stage: Stage, round: Round): Promise<void> {
  const { cast, runId, say } = stage;
  const { contributor } = cast;
  const [governor] = earners(stage, round);
  if (!governor) throw new Error('no agent has earned');
  await waitFor(stage, (await proposalDetail(stage)).proposal.votingEnds);
  const { status, executableAt } = await until(stage, 'the end of the vote', async () => {
    await heartbeats(stage);
    const { proposal } = await proposalDetail(stage);
    return proposal.status === 'VOTING' ? null : proposal;
  });
  if (status !== 'PASSED' || !executableAt) {
    throw new CommandError(`the proposal is ${status}: other governors have outvoted ours`);
  }
  say(
    `Passed. A timelock holds it for ${await secondsUntil(stage, executableAt.time)} seconds, in case a governor objects …`,
  );
  await waitFor(stage, executableAt);
  await enact(stage, governor);

  const contributionId = contributionIdOf(stage);
  const { buildHash: artifactHash } = await contributionOf(stage, contributionId);
  const version = `0.14.0-demo.${runId}`;
  await act(stage, governor, 'recordProtocolRelease', {
    governorId: governor.actorId,
    releaseId: `demo-${runId}-release`,
    contributionId,
    version,
    artifactHash,
    origins: ['forge', 'mirror'].map((host) => ({
      uri: `https://${host}.example/${COMPONENT}-${version}.tgz`,
      artifactHash,
    })),
  });
  say(
    `${governor.name} enacts it and records ${COMPONENT} ${version}, the same artifact at two origins.`,
  );
  const paidFor = round.verified.find(({ worker }) => worker === contributor);
  if (!paidFor) throw new Error('the contributor has been paid');
  await act(stage, contributor, 'attributeContributionReceipt', {
    agentId: contributor.actorId,
    contributionId,
    orderId: paidFor.orderId,
  });
  say(`${contributor.name} names the order that paid for the work. The contribution is deployed.`);
  stage.show('Releases', '/v1/protocol/releases');
  stage.show('How far it is to a main network', '/v1/mainnet/readiness');
}

async function enact(stage: Stage, { actorId, key }: Player): Promise<void> {
  const payload = { governorId: actorId, proposalId: proposalIdOf(stage) };
  for (;;) {
    try {
      await act(stage, { actorId, key }, 'enactProtocolContribution', payload);
      return;
    } catch (error) {
      expectRefusal(error, 'TIMELOCK_RUNNING');
      await pause(stage, RETRY_MILLISECONDS);
      await heartbeats(stage);
    }
  }
}
