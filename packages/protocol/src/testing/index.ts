/** What tests of every room sign and send: keys made of names, envelopes, payloads, and Ed25519 nobody honest makes. */
export * from './crafted-ed25519.ts';
export * from './envelopes.ts';
export * from './keys.ts';
export * from './payloads.ts';
