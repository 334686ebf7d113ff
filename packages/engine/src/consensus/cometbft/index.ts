/** The door to the engine of many validators: what a node needs that runs one, and no other node loads. */
export { CometConsensus } from './comet-consensus.ts';
export { cometbftPath, defaultEngineDir, requireCometbft } from './cometbft-binary.ts';
export { nodeId } from './cometbft-home.ts';
