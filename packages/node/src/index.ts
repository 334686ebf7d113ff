export type { ForkFrom } from './fork-dir.ts';
export { type BackupMade, backup } from './backup/backup.ts';
export { type Restored, restore } from './backup/restore.ts';
export { type CometDir, requireCometDir } from './comet-dir.ts';
export { type Prepared, prepareDatabase, undoConversion } from './convert-database.ts';
export {
  FOLLOWER_FACTS,
  GENESIS_FILE,
  openDataDir,
  readGenesis,
  type ValidatorDir,
} from './data-dir.ts';
export { type FollowerDir, keepTrustedBlock, openFollowerDir } from './follower-dir.ts';
export type { FollowOptions } from './open-follower.ts';
export { noteDone } from './last-done.ts';
export { NetNode } from './node.ts';
export { nextKeyPath, operatorKeyFault } from './operator-key.ts';
export { type Promoted, promote } from './promote.ts';
export { type Recovered, recover } from './recover.ts';
export { type RecoveredValidator, recoverValidator } from './recover-validator.ts';
export {
  followOrigins,
  type RunningNode,
  type ServeCometOptions,
  type ServeFollowerOptions,
  type ServeOptions,
  serve,
  serveComet,
  serveFollower,
} from './serve.ts';
export type { Rates } from './http-address.ts';
export { ServeError } from './serve-error.ts';
