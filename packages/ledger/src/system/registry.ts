/** To add a system transition, write a constant in its domain's file, a line here and one in TIMER_LIMITS. */
import type { ObservationKind } from '../observations.ts';
import type { TimerKind } from '../timer-queue.ts';
import type { SystemTransition } from '../transition.ts';
import { expireCapabilities } from './agents.ts';
import { endJudging } from './contributions.ts';
import { closeProposalVote, expireProposal } from './governance.ts';
import { expireAgentRecovery, replaceGuardians } from './keys.ts';
import { expireMemoryHandover, expireRuntimeOffer } from './memory.ts';
import { expireAgentMessage } from './messages.ts';
import { expireOperatorApplication, releaseBonds, releaseRoleBond } from './operators.ts';
import { expireBeacon } from './presence.ts';
import { expireAuditEngagement } from './readiness.ts';
import { activateRules, decideRules } from './rules.ts';
import { expireSession } from './sessions.ts';
import { releaseStake } from './staking.ts';
import { awaitHeight } from './timers.ts';
import { changeValidatorSet, missBlock, slashDoubleSigner } from './validators.ts';
import {
  drawWorkCommittee,
  settleWork,
  timeOutWorkAcceptance,
  timeOutWorkDelivery,
  timeOutWorkDispute,
  timeOutWorkVerification,
} from './work.ts';

export const SYSTEM_TRANSITIONS: Readonly<
  Record<TimerKind | 'awaitHeight' | ObservationKind, SystemTransition>
> = {
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
  changeValidatorSet,
  activateRules,
  decideRules,
  missBlock,
  slashDoubleSigner,
  awaitHeight,
};
export type SystemKind = keyof typeof SYSTEM_TRANSITIONS;
