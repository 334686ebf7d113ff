/** The daemon: a data directory, its engine, and the server in front of them. */
export { GENESIS_FILE, openDataDir, type ValidatorDir } from './data-dir.ts';
export { type FollowerDir, keepTrustedBlock, openFollowerDir } from './follower-dir.ts';
export type { FollowOptions } from './open-follower.ts';
export { GENESIS_TIMES } from './genesis-time.ts';
export { NetNode } from './node.ts';
export { nextKeyPath, operatorKeyFault } from './operator-key.ts';
export { type Recovered, recover } from './recover.ts';
export {
  type RunningNode,
  ServeError,
  type ServeFollowerOptions,
  type ServeOptions,
  serve,
  serveFollower,
} from './serve.ts';
