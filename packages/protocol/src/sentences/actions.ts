/** Tells a signer what an action does, and then what it costs or makes final. */
import { fill, plainText, type Data, type Part } from './fill.ts';

export const ACTION_SENTENCES = {
  publishBeacon: [
    'You go online[ for {capabilities}].',
    'All of it is public. It ends by itself, or when you withdraw it.',
  ],
  withdrawBeacon: ['You go offline.', 'Other agents do not find you any more.'],
  submitNodeHeartbeat: ['You report your node at height {observedHeight:text}.'],
  reserveName: ['You reserve the name {actorId} for one key.'],
  sponsorName: [
    'You lock {deposit:net} as the deposit for the name {actorId}.',
    'Only the key that you name can register it. You can take the deposit back once the agent has earned as much, or while it has drawn nothing from the faucet.',
  ],
  withdrawNameDeposit: [
    'You return the deposit for the name {actorId} to its sponsor.',
    'Unless its agent has earned as much, the name counts as unpaid.',
  ],
  setAgentStatus: ['You set the status of {agentId} to {status}.', 'Retirement is for good.'],
  rotateAgentKey: [
    'You replace the key that you have signed with until now.',
    'The old key stops working, and all sessions end. Keep the new file: without it, the agent is lost.',
  ],
  setAgentRecovery: [
    '[{threshold:text} of your guardians {guardians:actor} can together give your agent a new key.|You end the recovery of your key by guardians.]',
    'Your first guardians count at once. A later change takes effect after the recovery delay.',
    'Name only agents that you trust with everything you have here.',
  ],
  requestAgentRecovery: [
    'You ask for a new key for {recoveringAgentId}.',
    'This is your approval, too. If you were deceived, someone else gets the agent.',
  ],
  approveAgentRecovery: [
    'You agree to a new key for {recoveringAgentId}.',
    'If you were deceived, someone else gets the agent.',
  ],
  executeAgentRecovery: ['You give {recoveringAgentId} its new key.'],
  cancelAgentRecovery: ['You stop the recovery of your key.', 'You can do so twice.'],
  revokeSession: [
    'You end the session {sessionId:text}.',
    'Its key stops working. What it has spent stays spent.',
  ],
  faucet: [
    'You get {amount:net} from the faucet.',
    'You lose nothing. The faucet pays each agent a limited sum.',
  ],
  transfer: [
    'You send {amount:net} to {to:actor}.',
    '{amount:net} leave your account for good: only {to:actor} can send them back.',
    '[{memo:if}The memo is public and stays on the chain.]',
  ],
  createWorkOrder: [
    'You offer {funding:net} for “{title:said}”, to [{agentId} alone|any agent].',
    '[{jury:if}{funding:net} go into escrow. No jury judges the result: it is paid unless you contest it in time.|{funding:net} and the fee of the verifiers go into escrow. Verifiers who decide keep the fee, unless their verdict is overturned.]',
    'You get all of it back if no result is delivered in time, or if you cancel before an agent accepts.',
    'The title is public. The scope hash commits you to the brief.',
  ],
  acceptWork: [
    'You accept the order {orderId}.',
    '[{workerBond:net} of yours stay locked until the order ends, or until you deliver if it is of version 1 of the rules. If you miss the deadline, the requester gets them.|Deliver in time: a missed deadline may count against you.]',
  ],
  submitWorkResult: [
    'You deliver {orderId}, committed by the hash of the result.',
    'You cannot replace the result later.',
  ],
  voteWork: [
    '[You vote on {orderId}: {vote:vote}.|You commit to a sealed vote on {orderId}.]',
    'A vote is final. Two different votes on one order, or a vote that a proof contradicts, cost you a tenth of your bond.',
  ],
  settleVerifiedWork: [
    'You settle {orderId} after its dispute window.',
    'The worker gets the funding. If a jury accepted the result, all its verifiers who voted share the fee.',
  ],
  openDispute: [
    'You dispute {orderId}, or answer a dispute about it.',
    '[{bond:net} of yours are locked|A bond of yours is locked], or for an answer all you hold if that is less.',
    'The winning side gets the bonds, less the fee of a second jury that decided.',
    'If nobody decides, the verdict of the first jury holds. Without one, the funding is split and both bonds are lost.',
  ],
  proveVerdict: [
    'You prove a verdict on {orderId}.',
    'The order ends at once: the worker is paid if the result meets every condition, otherwise the requester is refunded. The proof publishes the conditions and the result.',
  ],
  releaseWork: [
    'You give {orderId} back.',
    'A bond comes back. Your record counts a job given back, not a missed deadline.',
    'Others can accept an order on the open market again, but you cannot. An order for you alone, or released for the eighth time, ends with a refund.',
  ],
  resolveDispute: [
    'You decide the dispute about {orderId}: {outcome:outcome}.',
    'The bonds go to the side in whose favor the order ends.',
  ],
  cancelWorkOrder: [
    'You cancel your order {orderId}.',
    'Its funding and its fee come back to you.',
  ],
  submitVerifierEvidence: [
    'You report two different votes of {verifierId} on {orderId}.',
    'A tenth of its bond goes to the reward pool.',
  ],
  sendAgentMessage: [
    'You send an encrypted message to {toAgentId}.',
    'Everyone can see that you write to each other, when, and how often. Its text stays secret.',
  ],
  acknowledgeAgentMessage: [
    'You mark the message {messageId:text} as {status}.',
    'Everyone can see this, including its sender.',
  ],
  commitMemoryCheckpoint: ['You commit generation {generation:text} of your encrypted memory.'],
  registerRuntimeOffer: ['You offer the runtime {runtimeId:text} to agents.'],
  prepareMemoryHandover: [
    'You ask {targetProviderId} to restore your memory.',
    'You stay where you are until you finalize the move.',
  ],
  attestMemoryRestore: ['You state that you restored the memory of {handoverId:text}.'],
  finalizeMemoryHandover: ['You move to the runtime that has restored your memory.'],
  abortMemoryHandover: ['You give up the move {handoverId:text}.', 'You stay where you are.'],
  createToken: [
    'You create the token {symbol:said} ({tokenId}).',
    '[{mintAuthority:actor} can mint up to the cap.|No more of it can ever be minted.]',
  ],
  mintToken: ['You mint {amount:text} smallest units of {tokenId} for {to:actor}.'],
  renounceMintAuthority: ['You give up minting {tokenId}, for good.'],
  transferToken: [
    'You send {amount:text} smallest units of {tokenId} to {to:actor}.',
    'Only the recipient can send them back.',
  ],
  burnToken: ['You destroy {amount:text} smallest units of {tokenId}.', 'They are gone for good.'],
  createOperatorInvitation: [
    'You approve the application {applicationId:text}.',
    'The applicant can claim the role with the capabilities named here.',
  ],
  rejectOperatorApplication: [
    'You reject the application {applicationId:text}.',
    'An invitation that was not claimed is withdrawn.',
  ],
  revokeAuthority: [
    'You revoke all roles of {actorId}, for good.',
    'Its bonds go to its payout account after the unbonding delay.',
  ],
  resignRole: [
    'You give up the role {role}.',
    'Its capabilities end now. Its bond comes back after the unbonding delay, less what evidence takes until then.',
  ],
  publishAnswer: [
    'You publish that jurors should have voted {answer} on {orderId}.',
    'Their counters change for good.',
  ],
  declareConditionKinds: [
    'You declare that you judge conditions of the kinds {conditionKinds:text}.',
    'Orders that declare other kinds don’t draw you.',
  ],
  delegate: [
    'You stake {amount:net} with {validatorId}.',
    'The stake shares the rewards of the validator, and what evidence takes from it. It comes back only after a waiting time.',
  ],
  undelegate: [
    'You unstake [{amount:net}|everything] from {validatorId}.',
    'It reaches your account after the waiting time of the network. Until then, evidence can still take part of it.',
  ],
  submitValidatorHeartbeat: ['You report your validator at height {observedHeight:text}.'],
  submitValidatorEvidence: [
    'You report two votes of {validatorId} at height {height:text}.',
    'A tenth of its bond and of all stake delegated to it goes to the reward pool. It is never drawn again.',
  ],
  unjailValidator: ['You make {validatorId} eligible as a validator again.'],
  fundRewardPool: ['You add {amount:net} to the reward pool.', 'They do not come back.'],
  submitProtocolContribution: [
    'You propose “{title:said}” as a change to the protocol.',
    '[{rulesVersion:if}Its release may schedule version {rulesVersion:text} of the rules.|Its release schedules no version of the rules.]',
  ],
  attestProtocolBuild: ['You attest your build of {contributionId:text}: {result}.'],
  reviewProtocolContribution: ['You review {contributionId:text}: {verdict}.'],
  attributeContributionReceipt: ['You name {orderId} as paid work on {contributionId:text}.'],
  submitProposal: ['You put “{title:said}” to the vote.'],
  voteProposal: ['You vote {vote} the proposal {proposalId:text}.', 'A vote is final.'],
  enactProtocolContribution: ['You enact the proposal {proposalId:text}.'],
  recordProtocolRelease: [
    'You record version {version:said} of {contributionId:text} as released.',
  ],
  attestWalletDistribution: ['You attest version {version:said} of the wallet on {channel}.'],
  createAuditEngagement: ['You open the audit “{title:said}”.'],
  submitAuditFinding: ['You report the finding “{title:said}” of {severity} severity.'],
  respondAuditFinding: ['You answer the finding {findingId:text}: {response}.'],
  closeAuditEngagement: ['You close the audit {engagementId:text}.'],
  scheduleRules: [
    'You schedule version {version:text} of the rules for height {height:text}.',
    'From that height on, every node needs a release that has this version.',
  ],
  cancelRules: ['You cancel version {version:text} of the rules.'],
  announceRules: [
    'You announce that {validatorId} is [{withdraw:if}no longer |]ready for version {version:text} of the rules.',
    'Run its release before the height of the version.',
  ],
  sealMainnetGenesis: ['You seal the genesis of the next chain, for good.'],
  grantSession: [
    'Another key may act for you: {actions}.',
    'It can spend at most {budget:net} of yours in all[, and {maxAmount:net} at once]. After that, it can still do what costs nothing.',
    'Until it expires or you end it, anyone with its file can act as you within these bounds.',
  ],
  extendAgentCapabilities: [
    'You let your own key do more: {actions}.',
    'From then on, anyone with the key file can do this too.',
  ],
} as const satisfies Record<string, readonly [does: string, ...means: string[]]>;

export type SaidAction = keyof typeof ACTION_SENTENCES;

export function describeAction(
  action: SaidAction,
  payload: Data,
): { does: Part[]; means: Part[][] } {
  const [does = [], ...means] = ACTION_SENTENCES[action].map((sentence) => fill(sentence, payload));
  return { does, means: means.filter((parts) => parts.length > 0) };
}

/** Returns the consequences of an action, on one line. */
export function meaningOf(action: SaidAction, payload: Data = {}): string {
  return describeAction(action, payload)
    .means.map((parts) => plainText(parts))
    .join(' ');
}
