/** What tests of every room sign, send, wait for and expect: keys made of names, envelopes, payloads, Ed25519 that no honest signer makes. */
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
