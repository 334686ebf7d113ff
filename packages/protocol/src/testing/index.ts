/** Test support for all packages: named keys, envelopes, payloads and crafted Ed25519. */
export * from './closed-description.ts';
export * from './crafted-ed25519.ts';
export * from './envelopes.ts';
export * from './error-table.ts';
export * from './first-line.ts';
export * from './keys.ts';
export * from './payloads.ts';
export * from './lies.ts';
export * from './sample.ts';
export * from './until.ts';
export * from './uris.ts';
