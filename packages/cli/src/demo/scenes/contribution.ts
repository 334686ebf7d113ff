import { hashValue, type JsonObject } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { act, expectRefusal, names, type Stage } from '../stage.ts';

export const COMPONENT = 'state-tree';

export interface ContributionView {
  contributionId: string;
  status: string;
  contentHash: string;
  buildHash: string | null;
}

export const contributionIdOf = ({ runId }: Stage): string => `demo-${runId}-proofs`;

export async function contributionOf({ client }: Stage, id: string): Promise<ContributionView> {
  const path = `/v1/protocol/contributions/${id}`;
  return (await client.get<{ contribution: ContributionView }>(path)).contribution;
}

export async function contribution(stage: Stage): Promise<void> {
  const { cast, runId, say } = stage;
  const { contributor, auditor, reviewer } = cast;
  const contributionId = contributionIdOf(stage);
  const content = { component: COMPONENT, change: 'leave out empty siblings', run: runId };
  await offer(stage, contributionId, content);
  say(
    `${contributor.name} offers a change to the ${COMPONENT}: hashes only, nothing is executed here.`,
  );

  const [first, second] = cast.verifiers;
  if (!first || !second) throw new Error('there are five verifiers');
  for (const verifier of [first, second]) await build(stage, verifier, contributionId, content);
  say(`${names([first, second])} build it apart from each other, and get the same artifact.`);
  for (const { actorId, key } of [auditor, reviewer]) {
    await act(stage, { actorId, key }, 'reviewProtocolContribution', {
      auditorId: actorId,
      contributionId,
      verdict: 'PASS',
      reportHash: hashValue({ contributionId, auditorId: actorId, found: 'nothing of concern' }),
    });
  }
  const { status } = await contributionOf(stage, contributionId);
  if (status !== 'GOVERNANCE_READY') throw new Error(`${contributionId} is ${status}`);
  say(`${names([auditor, reviewer])} review it and find it safe. Governance decides next.`);
  stage.show('The contribution and its judges', `/v1/protocol/contributions/${contributionId}`);
}

async function offer(stage: Stage, contributionId: string, content: JsonObject): Promise<void> {
  const { contributor } = stage.cast;
  const payload = {
    agentId: contributor.actorId,
    contributionId,
    title: 'Shorter proofs',
    targetComponent: COMPONENT,
    license: 'Apache-2.0',
    contentHash: hashValue(content),
    manifestHash: hashValue({ builder: 'demo', content: hashValue(content) }),
    sourceUri: `https://${contributor.name}.example/${contributionId}`,
  };
  const { contributions } = await stage.client.get<{ contributions: ContributionView[] }>(
    `/v1/protocol/contributions?author=${contributor.actorId}&limit=1`,
  );
  const left = contributions.find(({ status }) =>
    ['BUILD_VERIFICATION', 'SECURITY_REVIEW', 'GOVERNANCE_READY'].includes(status),
  );
  if (left) {
    try {
      const supersedes = left.contributionId;
      await act(stage, contributor, 'submitProtocolContribution', { ...payload, supersedes });
      return;
    } catch (error) {
      expectRefusal(error, 'CONTRIBUTION_UNDER_VOTE');
    }
  }
  await act(stage, contributor, 'submitProtocolContribution', payload);
}

async function build(
  stage: Stage,
  { actorId, key, name }: Player,
  contributionId: string,
  content: JsonObject,
): Promise<void> {
  const { contentHash } = await contributionOf(stage, contributionId);
  await act(stage, { actorId, key }, 'attestProtocolBuild', {
    verifierId: actorId,
    contributionId,
    result: contentHash === hashValue(content) ? 'PASS' : 'FAIL',
    buildHash: hashValue({ builtFrom: content }),
    environmentHash: hashValue({ machineOf: name }),
  });
}
