/** Seeded simulations, for campaigns. */
export { simulateFollowers, type FollowersReport } from './followers.ts';
export { Random } from './random.ts';
export { simulate, type SimulationReport } from './simulation.ts';
