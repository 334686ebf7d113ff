/** The door to the engine of many validators: what a node needs that runs one, and no other node loads. */
export { newestCertificate, openCometChain, untilCertified } from './comet-chain.ts';
export type { CometNews } from './comet-consensus.ts';
export { cometThread } from './comet-thread.ts';
export { cometbftPath, defaultEngineDir, requireCometbft } from './cometbft-binary.ts';
export { nodeId } from './cometbft-home.ts';
export { requireSigningPlace } from './signing-place.ts';
