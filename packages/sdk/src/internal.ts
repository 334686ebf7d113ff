/** What other rooms of this repository need of the SDK beyond its public names; nothing of it is published. */
export { unetOf } from './agent/amount.ts';
export { offerFrom, requireMind } from './agent/hire.ts';
export { findingsOf, type Finding } from './agent/findings.ts';
export { missingSealingKey } from './agent/opening.ts';
export { originOfUri, placesOf, reachableOrigin } from './agent/origins.ts';
export { makeSessionFile, readSession, readsSealed, sessionText } from './agent/session.ts';
export { refusalOf } from './agent/simulate.ts';
export { FILLED_IN } from './generated/tables.ts';
export { defaultHome } from '#home';
export { ensureKeys, ensureSigningKey } from './key-file.ts';
