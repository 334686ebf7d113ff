/** What the ledger does by itself, by kind. Adding one is one file, one line here and one in TIMER_LIMITS. */
import type { TimerKind } from '../timer-queue.ts';
import type { SystemTransition } from '../transition.ts';
import { expireCapabilities } from './agents/expire-capabilities.ts';
import { endJudging } from './contributions/end-judging.ts';
import { closeProposalVote } from './governance/close-proposal-vote.ts';
import { expireProposal } from './governance/expire-proposal.ts';
import { expireAgentRecovery } from './keys/expire-agent-recovery.ts';
import { replaceGuardians } from './keys/replace-guardians.ts';
import { expireMemoryHandover } from './memory/expire-memory-handover.ts';
import { expireRuntimeOffer } from './memory/expire-runtime-offer.ts';
import { expireAgentMessage } from './messages/expire-agent-message.ts';
import { expireOperatorApplication } from './operators/expire-operator-application.ts';
import { releaseBonds } from './operators/release-bonds.ts';
import { releaseRoleBond } from './operators/release-role-bond.ts';
import { expireBeacon } from './presence/expire-beacon.ts';
import { expireAuditEngagement } from './readiness/expire-audit-engagement.ts';
import { expireSession } from './sessions/expire-session.ts';
import { releaseStake } from './staking/release-stake.ts';
import { drawWorkCommittee } from './work/draw-work-committee.ts';
import { settleWork } from './work/settle-work.ts';
import { timeOutWorkAcceptance } from './work/time-out-work-acceptance.ts';
import { timeOutWorkDelivery } from './work/time-out-work-delivery.ts';
import { timeOutWorkDispute } from './work/time-out-work-dispute.ts';
import { timeOutWorkVerification } from './work/time-out-work-verification.ts';
import { awaitHeight } from './await-height.ts';

export const SYSTEM_TRANSITIONS: Readonly<Record<TimerKind | 'awaitHeight', SystemTransition>> = {
  drawWorkCommittee,
  timeOutWorkAcceptance,
  timeOutWorkDelivery,
  timeOutWorkVerification,
  settleWork,
  timeOutWorkDispute,
  releaseStake,
  releaseBonds,
  releaseRoleBond,
  closeProposalVote,
  expireProposal,
  endJudging,
  replaceGuardians,
  expireAgentRecovery,
  expireOperatorApplication,
  expireSession,
  expireMemoryHandover,
  expireAgentMessage,
  expireCapabilities,
  expireBeacon,
  expireRuntimeOffer,
  expireAuditEngagement,
  awaitHeight,
};
export type SystemKind = keyof typeof SYSTEM_TRANSITIONS;
