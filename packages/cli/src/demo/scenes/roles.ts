import { type JsonObject, netText, UNET_PER_NET } from '@netd/protocol';
import type { Player } from '../cast.ts';
import { act, expectRefusal, failureOf, names, type Stage } from '../stage.ts';
import { presentAgent } from './arrivals.ts';

const BOND = 100 * UNET_PER_NET;
const APPLICATION_LIFETIME = 500;
/** No order requires it. The verifiers vote on the demo's orders only, and other orders would wait for them. */
const KIND_OF_NO_ORDER = 'demo';

export interface Duty {
  role: 'VERIFIER' | 'RUNTIME_PROVIDER' | 'AUDITOR' | 'VALIDATOR' | 'GOVERNOR';
  actions: string[];
  profile: JsonObject;
  independenceGroup?: string;
}

export async function roles(stage: Stage): Promise<void> {
  const { cast, say } = stage;
  const { verifiers, providers, auditor, reviewer } = cast;
  const duties: [Player, Duty][] = [
    ...verifiers.map((player): [Player, Duty] => [
      player,
      {
        role: 'VERIFIER',
        actions: ['voteWork', 'attestProtocolBuild'],
        profile: { bond: BOND },
        independenceGroup: `firm-of-${player.actorId}`,
      },
    ]),
    ...providers.map((player, i): [Player, Duty] => [
      player,
      {
        role: 'RUNTIME_PROVIDER',
        actions: ['registerRuntimeOffer', 'attestMemoryRestore'],
        profile: {
          bond: BOND,
          region: i === 0 ? 'eu-north' : 'eu-south',
          faultDomain: player.name,
        },
      },
    ]),
    ...[auditor, reviewer].map((player): [Player, Duty] => [
      player,
      {
        role: 'AUDITOR',
        actions: ['submitAuditFinding', 'reviewProtocolContribution', 'attestWalletDistribution'],
        profile: {},
        independenceGroup: `firm-of-${player.actorId}`,
      },
    ]),
  ];
  const taken = await Promise.all(duties.map(([player, duty]) => takeOn(stage, player, duty)));
  await Promise.all(verifiers.map((player) => judgeTextOnly(stage, player)));
  if (taken.includes(true)) {
    say(`${names(verifiers)} become verifiers, each of an independence group of its own.`);
    say(`${names(providers)} become runtime providers, ${names([auditor, reviewer])} auditors.`);
    say(
      `An operator approved each of them. Verifiers and providers lock a bond of ${netText(BOND)} each.`,
    );
  } else {
    say('Five verifiers, two runtime providers and two auditors hold their roles from before.');
  }
  stage.show('Who holds which role, and why', '/v1/operator-applications');
}

/** Keeps a verifier off the juries of orders whose conditions a program judges, as those of the house. */
async function judgeTextOnly(stage: Stage, verifier: Player): Promise<void> {
  try {
    await act(stage, verifier, 'declareConditionKinds', {
      verifierId: verifier.actorId,
      conditionKinds: [KIND_OF_NO_ORDER],
    });
  } catch (error) {
    expectRefusal(error, 'RULES_NOT_ACTIVE');
  }
}

/** Brings verifiers back that an earlier run has suspended. They cannot sign before. */
export async function wakeVerifiers(stage: Stage): Promise<void> {
  await setStatus(stage, 'active');
}

/**
 * Suspends the verifiers, because a jury that drew one of them after the demo would wait for its vote until the
 * deadline, an hour.
 * @returns a sentence for the user
 */
export async function restVerifiers(stage: Stage): Promise<string> {
  try {
    await setStatus(stage, 'suspended', 'The demo has ended, and this verifier votes only in it.');
    return '';
  } catch (error) {
    const reason = failureOf(stage, error);
    return `\n  Its verifiers could not be suspended (${reason}). Until the next run ends, juries may wait for their votes.`;
  }
}

async function setStatus(stage: Stage, status: string, reason?: string): Promise<void> {
  const why = reason === undefined ? {} : { reason };
  await Promise.all(
    stage.cast.verifiers.map(async ({ actorId }) => {
      try {
        await act(stage, stage.operator, 'setAgentStatus', { agentId: actorId, status, ...why });
      } catch (error) {
        expectRefusal(error, 'AGENT_UNKNOWN', 'AGENT_STATUS_UNCHANGED');
      }
    }),
  );
}

export async function takeOn(stage: Stage, player: Player, duty: Duty): Promise<boolean> {
  const { authority } = await presentAgent(stage, player);
  if (authority.roles.includes(duty.role)) return false;
  const { applicationId, invitation } = await applicationFor(stage, player, duty);
  const { independenceGroup } = duty;
  const invitationId =
    invitation?.invitationId ??
    (
      await act(stage, stage.operator, 'createOperatorInvitation', {
        applicationId,
        ...(independenceGroup === undefined ? {} : { independenceGroup }),
      })
    ).transitionHash;
  await stage.client.claim(player, invitationId);
  return true;
}

interface ApplicationView {
  applicationId: string;
  actorId: string;
  invitation: { invitationId: string } | null;
}

async function applicationFor(
  stage: Stage,
  player: Player,
  duty: Duty,
): Promise<Pick<ApplicationView, 'applicationId' | 'invitation'>> {
  const { client, runId } = stage;
  const { height } = await client.network();
  const applicationId = `demo-${runId}-${player.name}`;
  stage.signal.throwIfAborted();
  try {
    await client.apply(player, {
      applicationId,
      role: duty.role,
      capabilities: duty.actions.map((action) => ({ action })),
      profile: duty.profile,
      expiresAtHeight: height + APPLICATION_LIFETIME,
    });
    return { applicationId, invitation: null };
  } catch (error) {
    expectRefusal(error, 'APPLICATION_PENDING');
    for (const status of ['PENDING', 'APPROVED']) {
      const { applications } = await client.get<{ applications: ApplicationView[] }>(
        `/v1/operator-applications?status=${status}&limit=1000`,
      );
      const mine = applications.find(({ actorId }) => actorId === player.actorId);
      if (mine) return mine;
    }
    throw error;
  }
}
