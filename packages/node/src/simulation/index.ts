/** A life from a seed, and the chance in it: for campaigns that play many. */
export { Random } from './random.ts';
export { simulate, type SimulationReport } from './simulation.ts';
