/** What other rooms of this repository need of the SDK beyond its public names; nothing of it is published. */
export { placesOf, reachableOrigin } from './agent/origins.ts';
export { FILLED_IN } from './generated/tables.ts';
export { ensureSigningKey } from './key-file.ts';
