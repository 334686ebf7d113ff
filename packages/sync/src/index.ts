/** What a follower does over the network. */
export { FollowError } from './follow-error.ts';
export { FollowerConsensus } from './follower-consensus.ts';
export type { FollowProgress } from './follower-options.ts';
export { type FollowerNews, followerThread } from './follower-thread.ts';
export type { PresenceOptions } from './heartbeats.ts';
export { type FollowedChainOptions, openCopy, openFollowerEngine } from './open-follower-engine.ts';
export { type OriginAnswer, neverSent, requestOrigin } from './origin-request.ts';
export { type BlockTimes, Origin, OriginUnavailableError, isAway } from './origin.ts';
export { RESTORE_STEPS, RestoreReport, inUnit } from './restore/restore-report.ts';
export { type RestoreProgress, type StartFrom, restoreState } from './restore/restore.ts';
export { SeenFollower } from './seen-follower.ts';
export { type Transport, endedBy, httpTransport } from './transport.ts';
export {
  type AnchorBlock,
  type TrustAnchor,
  contradicts,
  isAnchored,
  lacksBlock,
} from './trust-anchor.ts';
export { MOST_UNCOMMITTED } from './batched-commit.ts';
export { urlSource, verifyUrl } from './verify-url.ts';
