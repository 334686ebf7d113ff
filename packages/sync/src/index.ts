export { followForkPoint } from './fork-point/follow-fork-point.ts';
export { ForkPointError } from './fork-point/fork-point-error.ts';
export { type ForkSource, type TakenPoint, takeForkPoint } from './fork-point/take-fork-point.ts';
export { FollowError } from './follow-error.ts';
export { type FollowerNews, followerThread } from './follower-thread.ts';
export type { PresenceOptions } from './heartbeats.ts';
export { openFollowedChain, openFollowerEngine } from './open-follower-engine.ts';
export { type OriginAnswer, neverSent, requestOrigin } from './origin-request.ts';
export {
  type BlockTimes,
  Origin,
  OriginFaultError,
  OriginUnavailableError,
  isAway,
} from './origin.ts';
export { certifiedHead } from './restore/checkpoint-offers.ts';
export { RESTORE_STEPS, RestoreReport, inUnit } from './restore/restore-report.ts';
export { type StartFrom, restoreState } from './restore/restore.ts';
export { FollowerWithHeartbeats } from './follower-with-heartbeats.ts';
export { type Transport, endedBy, httpTransport } from './transport.ts';
export {
  type AnchorBlock,
  type TrustAnchor,
  contradicts,
  isAnchored,
  lacksBlock,
} from './trust-anchor.ts';
export { verifyUrl } from './verify-url.ts';
