export { type AbciApplication, AbciServer } from './abci-server.ts';
export { newestCertificate, openCometChain, untilCertified } from './comet-chain.ts';
export { type CometNews, engineGenesis } from './comet-consensus.ts';
export { cometThread } from './comet-thread.ts';
export { cometbftPath, defaultEngineDir, requireCometbft } from './cometbft-binary.ts';
export {
  beginRecord,
  forgetChain,
  nodeId,
  validatorKeyFile,
  readRecord,
  readRecoveredRecord,
  writeCometbftHome,
  writeRecoveredRecord,
  type CometbftHome,
} from './cometbft-home.ts';
export { CometbftProcess } from './cometbft-process.ts';
export { CometbftRpc, CometbftRpcError, type LightBlock } from './cometbft-rpc.ts';
export { beginSigningPlace, requireSigningPlace } from './signing-place.ts';
export { engineHeightOf, NO_SNAPSHOTS, SNAPSHOT_FORMAT, type SnapshotCalls } from './snapshots.ts';
export { makeSockets } from './sockets.ts';
export {
  type RequestApplySnapshotChunk,
  type RequestOfferSnapshot,
  ResponseApplySnapshotChunk_Result,
  ResponseOfferSnapshot_Result,
} from './wire/abci_pb.js';
