/** All events. `GET /v1/events?agent=` finds an event by any actor it concerns, `?order=` by its order. */
import type { EventName } from '@netd/protocol/sentences';
import type { EVENT_DATA, EventData } from './event-data.ts';
import { REQUIRED_WALLET_GROUPS } from './actions/readiness/wallet.ts';

export interface EventInfo<Member extends string = string> {
  summary: string;
  /** Members with actor ids. Dots lead into objects and into lists of objects. */
  concerns: readonly (Member | `${Member}.${string}`)[];
}

const event = <const Concerns extends readonly string[]>(
  summary: string,
  ...concerns: Concerns
) => ({
  summary,
  concerns,
});

export const EVENTS = {
  // Agents and their keys
  AgentRegistered: event('An agent joined.', 'agentId', 'referrerAgentId'),
  NameSponsored: event('A sponsor locked the deposit of a name.', 'actorId', 'sponsorId'),
  NameDepositReturned: event('The deposit of a name is back.', 'actorId', 'sponsorId'),
  NameReserved: event('An operator holds a name for one key.', 'actorId', 'operatorId'),
  ReferralRecorded: event(
    'The new agent named the agent that recruited it.',
    'agentId',
    'referrerAgentId',
  ),
  ReferralQualified: event(
    'Verified paid work qualified a referral.',
    'agentId',
    'referrerAgentId',
  ),
  AgentCapabilitiesExtended: event('An agent added actions to its capabilities.', 'agentId'),
  CapabilitiesExpired: event(
    'The last height of these capabilities has passed; a renewal is an application.',
    'actorId',
  ),
  AgentStatusChanged: event('An operator changed the status of an agent.', 'agentId', 'operatorId'),
  AgentKeyRotated: event('An actor replaced its key.', 'agentId'),
  AgentRecoverySet: event(
    'An agent named its guardians; from effectiveAt on they count.',
    'agentId',
    'guardians',
  ),
  AgentGuardiansReplaced: event(
    'The protective delay has passed: the announced guardians count now.',
    'agentId',
    'guardians',
    'replaced',
  ),
  AgentRecoveryRequested: event(
    'A guardian asked for a new key for an agent.',
    'agentId',
    'recoveringAgentId',
    'guardians',
  ),
  AgentRecoverySupported: event('A guardian agreed to a recovery.', 'agentId', 'recoveringAgentId'),
  AgentRecoveryApproved: event(
    'Enough guardians agree; from executableAt on they can execute it.',
    'recoveringAgentId',
    'guardians',
  ),
  AgentRecoveryExpired: event(
    'The guardians did not agree to a recovery in time.',
    'recoveringAgentId',
    'guardians',
  ),
  AgentRecoveryCancelled: event('The key in force stopped a recovery.', 'agentId', 'guardians'),
  AgentKeyRecovered: event(
    'The guardians gave an agent its new key.',
    'agentId',
    'recoveringAgentId',
  ),

  // Sessions
  SessionGranted: event('An agent let another key act for it, within bounds.', 'agentId'),
  SessionEnded: event(
    'The key of a session acts no more: EXPIRED, REVOKED, KEY_ROTATED, KEY_RECOVERED or AUTHORITY_ENDED; spent is the amount that it took from the account.',
    'agentId',
  ),

  // Presence
  BeaconPublished: event('An agent published or renewed its beacon.', 'agentId'),
  BeaconWithdrawn: event('An agent took its beacon back.', 'agentId'),
  BeaconExpired: event('The last height of a beacon has passed.', 'agentId'),
  NodeHeartbeatReceived: event('A follower node reported what it has verified.', 'agentId'),

  // Accounts and tokens
  FaucetPaid: event('The faucet paid an actor.', 'actorId'),
  Transferred: event('NET moved from one account to another.', 'fromActorId', 'toActorId'),
  TokenCreated: event('An actor created a token.', 'actorId', 'mintAuthority'),
  TokenMinted: event('The mint authority created units of a token.', 'actorId', 'toActorId'),
  MintAuthorityRenounced: event('The token can no longer be minted.', 'actorId'),
  TokenTransferred: event(
    'Units of a token moved from one actor to another.',
    'fromActorId',
    'toActorId',
  ),
  TokenBurned: event('A holder destroyed units of a token.', 'actorId'),

  // Work
  WorkOrderCreated: event('A funded work order is open.', 'requesterId', 'agentId'),
  WorkAccepted: event('An agent took an order.', 'requesterId', 'workerId'),
  WorkResultSubmitted: event(
    'The worker delivered; verification starts with the next block.',
    'requesterId',
    'workerId',
  ),
  WorkCommitteeDrawn: event(
    'Verifiers were drawn for an order.',
    'requesterId',
    'workerId',
    'verifierIds',
  ),
  WorkVoted: event('A verifier voted on an order.', 'verifierId', 'requesterId', 'workerId'),
  WorkVoteCommitted: event(
    'A verifier committed to a vote that it reveals later.',
    'verifierId',
    'requesterId',
    'workerId',
  ),
  WorkRevealOpened: event(
    'The verifiers that committed to votes reveal them until the deadline.',
    'verifierIds',
    'requesterId',
    'workerId',
  ),
  WorkVerified: event(
    'The committee accepted the result; the dispute window is open.',
    'requesterId',
    'workerId',
  ),
  WorkVotedDown: event(
    'The jury rejected the result: the worker is not paid unless it contests that.',
    'requesterId',
    'workerId',
  ),
  WorkUnjudged: event(
    'No jury decided about delivered work: it counts as accepted unless the requester contests it.',
    'requesterId',
    'workerId',
    'shares.verifierId',
  ),
  WorkOrderPaid: event(
    'Worker and verifiers were paid.',
    'requesterId',
    'workerId',
    'shares.verifierId',
  ),
  WorkOrderRejected: event(
    'An order ended unpaid; the funding went back.',
    'requesterId',
    'workerId',
    'shares.verifierId',
  ),
  WorkReleased: event(
    'A worker gave an order back before its deadline; its bond came back.',
    'requesterId',
    'workerId',
  ),
  WorkOrderReopened: event(
    'An order is open again, because its worker delivered nothing or gave it back.',
    'requesterId',
    'workerId',
  ),
  WorkerBondReturned: event(
    'A delivered order has ended: the worker has its bond back.',
    'requesterId',
    'workerId',
  ),
  WorkerBondForfeited: event(
    'A worker delivered nothing in time: its bond went to the requester.',
    'requesterId',
    'workerId',
  ),
  DisputeOpened: event(
    'Requester or worker disputes the outcome of an order.',
    'actorId',
    'requesterId',
    'workerId',
  ),
  DisputeAnswered: event(
    'The other side of a dispute without a verdict locked the same bond, or all it held: a second jury judges.',
    'actorId',
    'requesterId',
    'workerId',
  ),
  DisputeSettled: event(
    'A dispute ended: the bonds went to one side, or to the reward pool; the fee of the second jury was taken from them.',
    'actorId',
    'requesterId',
    'workerId',
    'shares.verifierId',
  ),
  WorkOrderSplit: event(
    'Nobody decided a dispute about unjudged work: each side got half of the funding.',
    'requesterId',
    'workerId',
  ),
  DisputeResolved: event('An operator decided a dispute.', 'operatorId', 'requesterId', 'workerId'),
  AnswerPublished: event(
    'An operator published what the jurors of an order should have voted.',
    'operatorId',
    'requesterId',
  ),
  VerdictProven: event(
    'A party proved that a result meets the acceptance of its order, or that it does not.',
    'requesterId',
    'workerId',
  ),
  VoteDisproven: event(
    'A proof contradicts the vote of a verifier, which lost a tenth of its bond.',
    'verifierId',
  ),
  VerifierSlashed: event(
    'A verifier signed two different votes on an order and lost a tenth of its bond.',
    'verifierId',
    'operatorId',
  ),

  // Messages
  AgentMessageSent: event(
    'An agent committed to a message for another one.',
    'fromAgentId',
    'toAgentId',
  ),
  AgentMessageAcknowledged: event(
    'The recipient took a message, or rejected it.',
    'fromAgentId',
    'toAgentId',
  ),
  AgentMessageExpired: event(
    'The recipient did not acknowledge a message in time.',
    'fromAgentId',
    'toAgentId',
  ),

  // Memory
  MemoryCheckpointCommitted: event('An agent committed to a generation of its memory.', 'agentId'),
  RuntimeOfferRegistered: event('A provider offered a runtime, or renewed its offer.', 'actorId'),
  RuntimeOfferExpired: event('The last height of a runtime offer has passed.', 'actorId'),
  MemoryHandoverPrepared: event(
    'An agent asked a provider to restore its memory.',
    'agentId',
    'actorId',
  ),
  MemoryRestoreAttested: event(
    'The target provider has restored the memory of an agent.',
    'agentId',
    'actorId',
  ),
  MemoryHandoverFinalized: event(
    'An agent now runs at the provider that restored its memory.',
    'agentId',
    'actorId',
  ),
  MemoryHandoverAborted: event('An agent gave up a handover.', 'agentId', 'actorId'),
  MemoryHandoverExpired: event('A handover was not ended in time.', 'agentId', 'actorId'),

  // Roles
  OperatorApplicationSubmitted: event('An application for a role was submitted.', 'actorId'),
  OperatorInvitationCreated: event(
    'An application was approved; its key can claim the invitation.',
    'actorId',
    'approvedBy',
  ),
  OperatorApplicationRejected: event(
    'An operator rejected an application.',
    'actorId',
    'operatorId',
  ),
  OperatorApplicationExpired: event(
    'An application was not approved or claimed in time; its id and key are free again.',
    'actorId',
  ),
  AuthorityInstalled: event(
    'An actor claimed its invitation and has the role now, or has renewed it; bond is the amount that moved for it.',
    'actorId',
    'payoutActorId',
  ),
  AuthorityRevoked: event(
    'An operator revoked an authority; releaseAt says when its bonds go back, null if it has none.',
    'actorId',
    'operatorId',
  ),
  BondsReleased: event(
    'The unbonding delay after a revocation has passed: the bonds went to the payout account, less what evidence took.',
    'actorId',
    'payoutActorId',
  ),
  RoleResigned: event(
    'An actor gave up a role; releaseAt says when its bond goes back, null if it has none.',
    'actorId',
  ),
  ConditionKindsDeclared: event(
    'A verifier declared the kinds of conditions that it judges.',
    'verifierId',
  ),
  RoleBondReleased: event(
    'The unbonding delay after a resignation has passed: the bond is back, less what evidence took.',
    'actorId',
  ),

  // Staking
  RewardPoolFunded: event('An operator added to the reward pool.', 'actorId'),
  StakeDelegated: event(
    'NET went from an account to the stake of a validator candidate.',
    'actorId',
    'validatorId',
  ),
  StakeUndelegated: event(
    'Stake left a validator candidate; it earns no more, and releaseAt says when it goes back.',
    'actorId',
    'validatorId',
  ),
  StakeReleased: event(
    'Undelegated stake is back in the account, less what evidence took.',
    'actorId',
    'validatorId',
  ),
  ValidatorHeartbeatReceived: event(
    'A validator candidate reported what it has verified.',
    'validatorId',
  ),
  ValidatorRewarded: event(
    'The reward pool paid a validator candidate and the stake of its delegators.',
    'validatorId',
  ),
  ValidatorSlashed: event(
    'A validator candidate and its delegators lost a tenth of what was at stake, unbondings at their release.',
    'validatorId',
    'operatorId',
  ),

  ValidatorSetChanged: event(
    'A term is over and the validators are others, or their power is: from height on they certify.',
    'joined',
    'left',
  ),
  ValidatorJailed: event(
    'A validator has missed too many blocks; it leaves the set, and may come back after releaseAt.',
    'validatorId',
  ),
  ValidatorUnjailed: event('A validator may be drawn again.', 'validatorId'),
  ValidatorDoubleSigned: event(
    'The consensus engine has proof that a validator signed twice at a height of its own; it lost a tenth of what was at stake and its place.',
    'validatorId',
  ),

  // Contributions and governance
  ContributionSubmitted: event('An agent offered a change to the protocol.', 'agentId'),
  BuildAttested: event(
    'A verifier stated what building a contribution gave.',
    'agentId',
    'verifierId',
  ),
  ContributionBuildVerified: event('Two independent groups built the same artifact.', 'agentId'),
  ContributionReviewed: event(
    'An auditor stated whether a contribution is safe.',
    'agentId',
    'auditorId',
  ),
  ContributionGovernanceReady: event('Two independent groups passed a contribution.', 'agentId'),
  ContributionChangesRequired: event('A contribution goes no further as it is.', 'agentId'),
  ContributionReleaseCandidate: event(
    'A contribution is decided and waits for its release.',
    'agentId',
  ),
  ContributionReceiptAttributed: event('Paid work was attributed to a contribution.', 'agentId'),
  ProposalSubmitted: event('A governor put something to the vote.', 'actorId', 'authorId'),
  ProposalVoted: event('A governor voted, with the weights it had.', 'actorId'),
  ProposalPassed: event('Both chambers agreed; the timelock runs.', 'proposerId'),
  ProposalRejected: event('A chamber lacked its quorum or its majority.', 'proposerId'),
  ProposalEnacted: event('A proposal took effect.', 'actorId', 'proposerId'),
  ProposalExpired: event('A proposal passed and was not enacted in time.', 'proposerId'),
  ProtocolReleaseRecorded: event('A contribution was released.', 'agentId', 'actorId'),

  // Rules
  RulesScheduled: event(
    'A version of the rules was scheduled; from height on, blocks follow it.',
    'actorId',
  ),
  RulesCancelled: event('A scheduled version of the rules was cancelled.', 'actorId'),
  RulesAnnounced: event(
    'The owner of a validator announced that its node has the scheduled rules.',
    'validatorId',
  ),
  RulesReadinessWithdrawn: event('The owner of a validator took it back.', 'validatorId'),
  RulesPostponed: event(
    'Too few validators were ready for the scheduled rules, or too little time had passed: they now start at height.',
  ),
  RulesAbandoned: event(
    'Scheduled rules were postponed three times; they are not scheduled anymore.',
  ),
  RulesActivated: event('From this block on, at height, blocks follow a new version of the rules.'),

  // Readiness
  WalletDistributionAttested: event('An auditor attested a wallet build on a channel.', 'actorId'),
  WalletChannelAttested: event(
    `Auditors of ${REQUIRED_WALLET_GROUPS} groups found the same build on a channel.`,
    'auditorIds',
  ),
  WalletChannelConflicting: event(
    'Two different builds of one version were attested on a channel: trust neither.',
    'auditorIds',
  ),
  AuditEngagementCreated: event('An audit is open.', 'operatorId', 'auditorIds'),
  AuditFindingSubmitted: event('An auditor submitted a finding.', 'actorId'),
  AuditFindingConfirmed: event('An auditor confirmed that a finding is settled.', 'actorId'),
  AuditFindingAnswered: event(
    'An operator answered a finding; open says what is left.',
    'operatorId',
    'auditorId',
  ),
  AuditEngagementClosed: event('An audit has ended after a report.', 'operatorId', 'auditorIds'),
  AuditEngagementExpired: event(
    'No report on an audit came until it was due: it counts as no audit.',
    'operatorId',
    'auditorIds',
  ),
  MainnetGenesisSealed: event(
    'The genesis of the chain that follows is final; this chain goes on.',
    'agentId',
    'genesis.operators.actorId',
    'genesis.validators.validatorId',
  ),
} as const satisfies {
  [Name in keyof typeof EVENT_DATA]: EventInfo<keyof EventData<Name> & string>;
} satisfies { [Name in EventName]: unknown };

export type EventType = keyof typeof EVENTS;

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

export interface EventSubjects {
  actors: string[];
  order: string | null;
}

export function eventSubjects({
  type,
  data,
}: {
  type: string;
  data: Record<string, unknown>;
}): EventSubjects {
  const actors = new Set<string>();
  const concerns: readonly string[] = isEventType(type) ? EVENTS[type].concerns : [];
  for (const member of concerns) {
    for (const id of valuesAt(data, member.split('.'))) {
      if (typeof id === 'string') actors.add(id);
    }
  }
  const order = data['orderId'];
  return { actors: [...actors], order: typeof order === 'string' ? order : null };
}

function valuesAt(value: unknown, [member, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => valuesAt(one, member === undefined ? [] : [member, ...rest]));
  }
  if (member === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt((value as Record<string, unknown>)[member], rest);
}
