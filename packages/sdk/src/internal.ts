/** Exports for other packages of this repository. Not published. */
export { completePayload } from './actions.ts';
export { AgentError } from './agent/agent-error.ts';
export { answerIdFor, ownIdFor, requireAcceptable } from './agent/agent.ts';
export { unetOf } from './agent/amount.ts';
export { isSameOffer, offerFrom } from './agent/hire.ts';
export { requireScope } from './agent/work-offer.ts';
export { disputeBondOf } from './agent/order-acts.ts';
export { requireJudgeable, requireRoster, requireWorkable } from './agent/workable.ts';
export { networkOf } from './event-hub.ts';
export { findBlob, type FoundBlob, type Reach } from '@netd/blobs/client';
export { findingsOf, reasonAt, type Finding } from './agent/findings.ts';
export type { AgentHome } from './agent/home.ts';
export { missingSealingKey } from './agent/opening.ts';
export { sequenceAfter } from './agent/beacon.ts';
export { contentBytes, type MessageFacts } from './agent/message.ts';
export {
  blobUri,
  originOfUri,
  hasBlob,
  Origins,
  placesOf,
  reachOf,
  reachableOrigin,
  requireClock,
  type Place,
} from './agent/origins.ts';
export { sessionEnd } from './agent/outbox.ts';
export { Peers } from './agent/peers.ts';
export { Poller } from './agent/poller.ts';
export { RetryingClient } from './agent/retrying-client.ts';
export { nextSequence, openMessage, receiptHash, sealMessage } from './agent/sealed-message.ts';
export { makeSessionFile, readSession, readsSealed, sessionText } from './agent/session.ts';
export { refusalOf } from './agent/refusal-of.ts';
export { ACTION_NAMES, FILLED_IN } from './generated/tables.ts';
export { defaultHome } from '#home';
export { isLoopbackUrl } from './http.ts';
export { installLinks } from './install-links.ts';
export { ensureKeys, ensureSigningKey, type AgentKeys } from './key-file.ts';
export { MOST_NAME_BITS, workedNonce, type WorkOptions } from './name-work.ts';
export { pause } from './pause.ts';
export { FAIR_WORK, NAMED_GENESIS, rulesVersionOf } from './rules-version.ts';
export { submit } from './submission.ts';
