/** For tests of other packages. */
export type { FollowerEngine } from './open-follower-engine.ts';
export { OWN_ANSWERS } from './own-answers.ts';
export type { AskOptions } from './transport.ts';
