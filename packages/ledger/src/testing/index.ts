/** Test support: an in-memory ledger, keys by name, signed envelopes. */
export {
  beaconOf,
  checkpointOf,
  FUNDING,
  hashOf,
  hashOfDigit,
  pemOfRaw,
  signatureOf,
  signEnvelope,
  type TestKey,
  testKey,
  torsionKey,
  workOrderOf,
} from '@netd/protocol/testing';
export {
  ballotOf,
  BUILD_HASH,
  buildOf,
  contributionOf,
  genesisProposalOf,
  proposalOf,
  releaseOf,
  reviewed,
  reviewOf,
} from './contributions.ts';
export { accepted, refused, verdictOf } from './expectations.ts';
export {
  type GoldenBlock,
  type GoldenChain,
  goldenChainOf,
  goldenText,
  parseGolden,
  setChangeOf,
} from './golden-chain.ts';
export { GOLDEN_PLAYS } from './golden-play.ts';
export { sealedGenesis } from './mainnet.ts';
export { ALL_REFUSALS } from './refusals/all.ts';
export { attestationOf, handoverOf, offerOf } from './refusals/memory.ts';
export { acknowledgementOf, messageOf } from './refusals/messages.ts';
export {
  answerOf,
  candidateHash,
  EASY_READINESS,
  engagementOf,
  findingOf,
  sealOf,
  seedEnacted,
  walletOf,
  withCandidate,
} from './refusals/readiness.ts';
export { TOKEN_ACTIONS, tokenOf } from './refusals/tokens.ts';
export { evidenceOf, SELF_BOND } from './staking.ts';
export { consensusKeyOf, OPERATOR, profileOf, submissionOf, TestChain } from './test-chain.ts';
export { pass, resultOf, verified } from './work.ts';
