/** Lives from a seed, and the chance in them: for campaigns that play many. */
export { simulateFollowers, type FollowersReport } from './followers.ts';
export { Random } from './random.ts';
export { simulate, type SimulationReport } from './simulation.ts';
