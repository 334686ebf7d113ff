import { fill, isActor, placeholdersIn, type Data, type Part } from './fill.ts';

const SENTENCES = {
  agents: {
    AgentRegistered: '{agentId} joined[, recruited by {referrerAgentId}]',
    NameSponsored: '{sponsorId} locked {amount:net} as the deposit for the name {actorId}',
    NameDepositReturned: '{sponsorId} got {amount:net} back, the deposit for the name {actorId}',
    NameReserved: 'the name {actorId} was reserved by {operatorId}',
    ReferralRecorded: '{referrerAgentId} recruited {agentId}',
    ReferralQualified: '{agentId} was paid, which qualifies its recruiter {referrerAgentId}',
    AgentCapabilitiesExtended: '{agentId} can now use {actions}',
    CapabilitiesExpired: 'capabilities of {actorId} expired',
    AgentKeyRotated: '{agentId} replaced its key',
    AgentRecoverySet: '{agentId} named {guardians:count} guardians',
    AgentGuardiansReplaced: 'the new guardians of {agentId} count now',
    AgentRecoverySupported: '{agentId} agreed to recover {recoveringAgentId}',
    SessionGranted: '{agentId} created a session key with a budget of {budget:net}',
    SessionEnded: 'a session key of {agentId} ended, {spent:net} spent',
    BeaconPublished: '{agentId} went online',
    BeaconWithdrawn: '{agentId} withdrew its beacon and went offline',
    BeaconExpired: '{agentId} went offline',
  },
  money: {
    FaucetPaid: '{actorId} got {amount:net} from the faucet',
    Transferred: '{fromActorId} sent {amount:net} to {toActorId}',
    TokenCreated: '{actorId} created the token {tokenId}',
    TokenMinted: '{actorId} minted {amount:units} of {tokenId} for {toActorId}',
    TokenTransferred: '{fromActorId} sent {amount:units} of {tokenId} to {toActorId}',
    TokenBurned: '{actorId} burned {amount:units} of {tokenId}',
    MintAuthorityRenounced: '{actorId} gave up minting {tokenId}',
    WorkOrderPaid: '{workerId} was paid {paid:net} for {orderId}',
    RewardPoolFunded: '{actorId} added {amount:net} to the reward pool',
    StakeDelegated: '{actorId} staked {amount:net} with {validatorId}',
    StakeUndelegated: '{actorId} unstaked {amount:net} from {validatorId}',
    StakeReleased: '{actorId} got {amount:net} of stake back from {validatorId}',
    ValidatorRewarded:
      '{validatorId} earned {toValidator:net}, and its delegators {toDelegators:net}',
    BondsReleased: '{payoutActorId} got the bonds of {actorId} back, {amount:net}',
    RoleBondReleased: '{actorId} got its bond as {role} back, {amount:net}',
  },
  work: {
    WorkOrderCreated: '{requesterId} offered {funding:net} for {orderId}[, to {agentId} alone]',
    WorkAccepted: '{workerId} accepted {orderId}',
    WorkResultSubmitted: '{workerId} delivered {orderId} to {requesterId}',
    WorkCommitteeDrawn:
      '[A jury of {verifierIds:count} was drawn|Too few verifiers could be drawn] for {orderId}',
    WorkVoted: '{verifierId} voted on {orderId}: {vote:vote}',
    WorkVoteCommitted: '{verifierId} committed to a sealed vote on {orderId}',
    WorkRevealOpened: '{verifierIds:count} verifiers reveal their votes on {orderId}',
    WorkVerified: "{workerId}'s work on {orderId} was verified",
    WorkReleased: '{workerId} gave {orderId} back',
    WorkerBondReturned: '{workerId} got back its bond of {amount:net} for {orderId}',
  },
  talk: {
    AgentMessageSent: '{fromAgentId} sent {toAgentId} an encrypted message',
    AgentMessageAcknowledged: '{toAgentId} {status:receipt} a message from {fromAgentId}',
    AgentMessageExpired: 'a message from {fromAgentId} to {toAgentId} expired unread',
  },
  memory: {
    MemoryCheckpointCommitted: '{agentId} committed generation {generation:text} of its memory',
    RuntimeOfferRegistered: '{actorId} offered a runtime',
    RuntimeOfferExpired: 'a runtime offer of {actorId} expired',
    MemoryHandoverPrepared: '{agentId} asked {actorId} to restore its memory',
    MemoryRestoreAttested: '{actorId} restored the memory of {agentId}',
    MemoryHandoverFinalized: '{agentId} moved to a runtime of {actorId}',
    MemoryHandoverAborted: '{agentId} gave up its move to {actorId}',
    MemoryHandoverExpired: 'the move of {agentId} to {actorId} expired',
  },
  rules: {
    NodeHeartbeatReceived: 'the follower of {agentId} is at height {observedHeight:text}',
    OperatorApplicationSubmitted: '{actorId} applied for the role {role}',
    OperatorInvitationCreated: '[{approvedBy}|The policy] approved {actorId} for the role {role}',
    OperatorApplicationRejected:
      '{operatorId} rejected the application of {actorId} for the role {role}',
    OperatorApplicationExpired: 'the application of {actorId} for the role {role} expired',
    AuthorityInstalled: '{actorId} got the role {role}',
    ConditionKindsDeclared: '{verifierId} judges conditions of the kinds {conditionKinds:text}',
    RoleResigned: '{actorId} gave up the role {role}',
    ValidatorHeartbeatReceived: 'the validator {validatorId} is at height {observedHeight:text}',
    ValidatorSetChanged:
      'the validators change at height {height:text}[, {joined:actor} joined][, {left:actor} left]',
    ValidatorUnjailed: '{validatorId} can be a validator again',
    ContributionSubmitted: '{agentId} proposed a change to the protocol',
    BuildAttested: '{verifierId} built the change by {agentId}: {result}',
    ContributionBuildVerified: 'independent builds of the change by {agentId} match',
    ContributionReviewed: '{auditorId} reviewed the change by {agentId}: {verdict}',
    ContributionGovernanceReady: 'the change by {agentId} can be voted on',
    ContributionReleaseCandidate: 'the change by {agentId} can be released',
    ContributionReceiptAttributed: '{agentId} was paid {paid:net} for work on the protocol',
    ProposalSubmitted: '{actorId} put a {kind} to the vote',
    ProposalVoted: '{actorId} voted {vote} a proposal',
    ProposalPassed: 'the proposal of {proposerId} passed',
    ProposalEnacted: '{actorId} enacted the proposal of {proposerId}',
    ProtocolReleaseRecorded: '{actorId} released version {version:said} of {targetComponent:said}',
    WalletDistributionAttested:
      '{actorId} attested version {version:said} of the wallet on {channel}',
    WalletChannelAttested:
      '{auditorIds:count} auditors agree on version {version:said} of the wallet on {channel}',
    AuditEngagementCreated: '{operatorId} opened an audit: {title:said}',
    AuditFindingSubmitted: '{actorId} reported a finding of {severity} severity',
    AuditFindingConfirmed: '{actorId} confirmed the answer to a finding',
    AuditFindingAnswered: '{operatorId} answered a finding of {auditorId}: {response}',
    AuditEngagementClosed: '{operatorId} closed an audit with {findings:text} findings',
    RulesScheduled:
      '{actorId} scheduled version {rulesVersion:text} of the rules for height {height:text}',
    RulesCancelled: '{actorId} cancelled version {rulesVersion:text} of the rules',
    RulesAnnounced: '{validatorId} is ready for version {rulesVersion:text} of the rules',
    RulesReadinessWithdrawn:
      '{validatorId} is no longer ready for version {rulesVersion:text} of the rules',
    RulesPostponed:
      'version {rulesVersion:text} of the rules was postponed to height {height:text}',
    RulesAbandoned: 'version {rulesVersion:text} of the rules was abandoned',
    RulesActivated: 'blocks now follow version {rulesVersion:text} of the rules',
    MainnetGenesisSealed: '{agentId} sealed the genesis of the next chain',
  },
  trouble: {
    AgentStatusChanged: '{operatorId} set the status of {agentId} to {to}',
    AgentRecoveryRequested: '{agentId} asked to recover {recoveringAgentId}',
    AgentRecoveryApproved: 'enough guardians agreed to recover {recoveringAgentId}',
    AgentRecoveryExpired: 'the recovery of {recoveringAgentId} expired',
    AgentRecoveryCancelled: '{agentId} stopped the recovery of its key',
    AgentKeyRecovered: '{recoveringAgentId} was recovered under a new key',
    WorkOrderRejected: '{orderId} ended unpaid ({reason}); {requesterId} got {refund:net} back',
    WorkVotedDown: "the jury rejected {workerId}'s work on {orderId}",
    WorkUnjudged:
      'no jury decided about {orderId} ({reason:unjudged}): {workerId} is paid unless {requesterId} contests the result',
    WorkOrderReopened: '{orderId} is open again; {workerId} did not deliver it',
    WorkerBondForfeited: '{workerId} lost its bond of {amount:net} to {requesterId}',
    DisputeOpened: '{actorId} disputed {orderId}',
    DisputeAnswered: '{actorId} answered the dispute about {orderId}: a second jury judges',
    DisputeSettled:
      'the dispute about {orderId} ended[: {actorId} got {amount:net} of bonds|, and {slashed:net} of bonds went to the reward pool]',
    WorkOrderSplit: '{orderId} was split: {workerId} got {paid:net} of its funding',
    DisputeResolved: '{operatorId} decided the dispute about {orderId}: {outcome:outcome}',
    AnswerPublished: '{operatorId} says that jurors should have voted {answer} on {orderId}',
    VerdictProven: '{actorId} proved a verdict on {orderId}: {outcome:outcome}',
    VoteDisproven:
      '{verifierId} lost {slashed:net} for a vote on {orderId} that a proof contradicts',
    VerifierSlashed: '{verifierId} lost {slashed:net} for two different votes on {orderId}',
    AuthorityRevoked: '{operatorId} revoked the roles of {actorId}',
    ValidatorSlashed:
      '{validatorId} lost {slashedBond:net} of its bond and {slashedStake:net} of stake for two votes at one height',
    ValidatorJailed: '{validatorId} was jailed for missed blocks',
    ValidatorDoubleSigned:
      '{validatorId} lost {slashedBond:net} of its bond and {slashedStake:net} of stake for signing twice',
    ContributionChangesRequired: 'the change by {agentId} needs a revision ({reason})',
    ProposalRejected: 'the proposal of {proposerId} was rejected',
    ProposalExpired: 'the proposal of {proposerId} expired before it was enacted',
    WalletChannelConflicting: '{auditorIds:count} auditors found different wallets on {channel}',
    AuditEngagementExpired: 'an audit of {operatorId} expired without a report',
  },
} as const;

/** Tone of an event, for color and filter. */
export type Tone = keyof typeof SENTENCES;
type NameOf<Sentences> = Sentences extends object ? keyof Sentences : never;
export type EventName = NameOf<(typeof SENTENCES)[Tone]>;

export const EVENT_SENTENCES: ReadonlyMap<string, readonly [Tone, string]> = new Map(
  (Object.keys(SENTENCES) as Tone[]).flatMap((tone) =>
    Object.entries(SENTENCES[tone]).map(([type, sentence]) => [type, [tone, sentence]]),
  ),
);

export interface EventLine {
  tone: Tone;
  parts: Part[];
  actor: string | null;
}

/** Members that can be the subject of an event without a sentence, from a later version. */
const SUBJECTS = ['agentId', 'actorId', 'validatorId', 'proposerId', 'verifierId', 'orderId'];
const SHOWN_ITEMS = 3;

export function describeEvent(type: string, data: Data): EventLine {
  const subject = SUBJECTS.find((name) => typeof data[name] === 'string');
  const [tone, sentence] = EVENT_SENTENCES.get(type) ?? [
    'rules',
    `${subject === undefined ? '' : `{${subject}}: `}{type}`,
  ];
  const actors = placeholdersIn(sentence)
    .flatMap((place) => (isActor(place) ? data[place.split(':')[0] ?? ''] : []))
    .filter((id) => typeof id === 'string');
  return { tone, parts: fill(sentence, { ...data, type }, SHOWN_ITEMS), actor: actors[0] ?? null };
}
