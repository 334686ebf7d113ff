/** What tests of other packages may touch of sync, beside its door. */
export type { FollowerEngine } from './open-follower-engine.ts';
export { OWN_ANSWERS } from './own-answers.ts';
export type { AskOptions } from './transport.ts';
