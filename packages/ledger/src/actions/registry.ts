import type { Action } from '../action.ts';
import { grantsOf, type Grants } from '../grants.ts';
import { rulesAt, type Rules } from '../rules.ts';
import type { ReadableState } from '../state.ts';
import { faucet } from './accounts/faucet.ts';
import { transfer } from './accounts/transfer.ts';
import { extendAgentCapabilities } from './agents/extend-agent-capabilities.ts';
import { reserveName } from './agents/reserve-name.ts';
import { sponsorName } from './agents/sponsor-name.ts';
import { withdrawNameDeposit } from './agents/withdraw-name-deposit.ts';
import { setAgentStatus } from './agents/set-agent-status.ts';
import { approveAgentRecovery } from './keys/approve-agent-recovery.ts';
import { cancelAgentRecovery } from './keys/cancel-agent-recovery.ts';
import { executeAgentRecovery } from './keys/execute-agent-recovery.ts';
import { requestAgentRecovery } from './keys/request-agent-recovery.ts';
import { rotateAgentKey } from './keys/rotate-agent-key.ts';
import { setAgentRecovery } from './keys/set-agent-recovery.ts';
import { publishBeacon } from './presence/publish-beacon.ts';
import { submitNodeHeartbeat } from './presence/submit-node-heartbeat.ts';
import { withdrawBeacon } from './presence/withdraw-beacon.ts';
import { acceptWork } from './work/accept-work.ts';
import { cancelWorkOrder } from './work/cancel-work-order.ts';
import { createWorkOrder } from './work/create-work-order.ts';
import { openDispute } from './work/open-dispute.ts';
import { releaseWork } from './work/release-work.ts';
import { resolveDispute } from './work/resolve-dispute.ts';
import { settleVerifiedWork } from './work/settle-verified-work.ts';
import { proveVerdict } from './work/prove-verdict.ts';
import { submitVerifierEvidence } from './work/submit-verifier-evidence.ts';
import { submitWorkResult } from './work/submit-work-result.ts';
import { voteWork } from './work/vote-work.ts';
import { abortMemoryHandover } from './memory/abort-memory-handover.ts';
import { attestMemoryRestore } from './memory/attest-memory-restore.ts';
import { commitMemoryCheckpoint } from './memory/commit-memory-checkpoint.ts';
import { finalizeMemoryHandover } from './memory/finalize-memory-handover.ts';
import { prepareMemoryHandover } from './memory/prepare-memory-handover.ts';
import { registerRuntimeOffer } from './memory/register-runtime-offer.ts';
import { acknowledgeAgentMessage } from './messages/acknowledge-agent-message.ts';
import { sendAgentMessage } from './messages/send-agent-message.ts';
import { burnToken } from './tokens/burn-token.ts';
import { createToken } from './tokens/create-token.ts';
import { mintToken } from './tokens/mint-token.ts';
import { renounceMintAuthority } from './tokens/renounce-mint-authority.ts';
import { transferToken } from './tokens/transfer-token.ts';
import { grantSession } from './sessions/grant-session.ts';
import { revokeSession } from './sessions/revoke-session.ts';
import { createOperatorInvitation } from './operators/create-operator-invitation.ts';
import { rejectOperatorApplication } from './operators/reject-operator-application.ts';
import { declareConditionKinds } from './operators/declare-condition-kinds.ts';
import { publishAnswer } from './work/publish-answer.ts';
import { resignRole } from './operators/resign-role.ts';
import { revokeAuthority } from './operators/revoke-authority.ts';
import { delegate } from './staking/delegate.ts';
import { fundRewardPool } from './staking/fund-reward-pool.ts';
import { submitValidatorEvidence } from './staking/submit-validator-evidence.ts';
import { submitValidatorHeartbeat } from './staking/submit-validator-heartbeat.ts';
import { undelegate } from './staking/undelegate.ts';
import { unjailValidator } from './staking/unjail-validator.ts';
import { attestProtocolBuild } from './contributions/attest-protocol-build.ts';
import { attributeContributionReceipt } from './contributions/attribute-contribution-receipt.ts';
import { reviewProtocolContribution } from './contributions/review-protocol-contribution.ts';
import { submitProtocolContribution } from './contributions/submit-protocol-contribution.ts';
import { enactProtocolContribution } from './governance/enact-protocol-contribution.ts';
import { recordProtocolRelease } from './governance/record-protocol-release.ts';
import { submitProposal } from './governance/submit-proposal.ts';
import { voteProposal } from './governance/vote-proposal.ts';
import { attestWalletDistribution } from './readiness/attest-wallet-distribution.ts';
import { closeAuditEngagement } from './readiness/close-audit-engagement.ts';
import { createAuditEngagement } from './readiness/create-audit-engagement.ts';
import { respondAuditFinding } from './readiness/respond-audit-finding.ts';
import { sealMainnetGenesis } from './readiness/seal-mainnet-genesis.ts';
import { announceRules } from './rules/announce-rules.ts';
import { cancelRules } from './rules/cancel-rules.ts';
import { scheduleRules } from './rules/schedule-rules.ts';
import { submitAuditFinding } from './readiness/submit-audit-finding.ts';

const OTHERS: readonly Action[] = [
  publishBeacon,
  withdrawBeacon,
  submitNodeHeartbeat,
  reserveName,
  setAgentStatus,
  rotateAgentKey,
  setAgentRecovery,
  requestAgentRecovery,
  approveAgentRecovery,
  executeAgentRecovery,
  cancelAgentRecovery,
  revokeSession,
  faucet,
  transfer,
  createWorkOrder,
  acceptWork,
  submitWorkResult,
  voteWork,
  settleVerifiedWork,
  openDispute,
  releaseWork,
  resolveDispute,
  cancelWorkOrder,
  submitVerifierEvidence,
  proveVerdict,
  sendAgentMessage,
  acknowledgeAgentMessage,
  commitMemoryCheckpoint,
  registerRuntimeOffer,
  prepareMemoryHandover,
  attestMemoryRestore,
  finalizeMemoryHandover,
  abortMemoryHandover,
  createToken,
  mintToken,
  renounceMintAuthority,
  transferToken,
  burnToken,
  createOperatorInvitation,
  rejectOperatorApplication,
  revokeAuthority,
  resignRole,
  delegate,
  undelegate,
  submitValidatorHeartbeat,
  submitValidatorEvidence,
  unjailValidator,
  fundRewardPool,
  submitProtocolContribution,
  attestProtocolBuild,
  reviewProtocolContribution,
  attributeContributionReceipt,
  submitProposal,
  voteProposal,
  enactProtocolContribution,
  recordProtocolRelease,
  attestWalletDistribution,
  createAuditEngagement,
  submitAuditFinding,
  respondAuditFinding,
  closeAuditEngagement,
  sealMainnetGenesis,
  scheduleRules,
  cancelRules,
  announceRules,
  declareConditionKinds,
  publishAnswer,
  sponsorName,
  withdrawNameDeposit,
];

const DEFINED: readonly Action[] = [
  ...OTHERS,
  grantSession(
    OTHERS.filter(({ keyOnly, roles }) => !keyOnly && roles.length > 0).map(({ name }) => name),
  ),
  extendAgentCapabilities([...grantsOf(OTHERS).policy, 'grantSession']),
];

export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  DEFINED.map((action) => [action.name, action]),
);

/**
 * Returns the definition in a version of the rules. Several definitions of one name have spans that don't
 * overlap.
 */
export function actionIn(name: string, rules: Rules): Action | undefined {
  const newest = ACTIONS.get(name);
  if (!newest || rules.have(newest)) return newest;
  return DEFINED.find((action) => action.name === name && rules.have(action));
}

export const GRANTS: Grants = grantsOf([...ACTIONS.values()]);

const grantsByVersion = new Map<number, Grants>();

export function grantsIn(rules: Rules): Grants {
  const known = grantsByVersion.get(rules.version);
  if (known) return known;
  const grants = grantsOf(DEFINED.filter((action) => rules.have(action)));
  grantsByVersion.set(rules.version, grants);
  return grants;
}

/** @param height the state's own or the next */
export const grantsAt = (state: ReadableState, height: number): Grants =>
  grantsIn(rulesAt(state, height));

export const AGENT_BASE_SET: readonly string[] = [...GRANTS.base];
export const AGENT_POLICY_SET: readonly string[] = [...GRANTS.policy];
export const ROLE_SETS = GRANTS.byRole;
