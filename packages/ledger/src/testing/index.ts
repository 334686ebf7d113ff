/** Support for tests and benchmarks: a ledger in memory, keys made of names, and signed envelopes. */
export * from '@netd/protocol/testing';
export * from './expectations.ts';
export * from './memory-ledger.ts';
export * from './test-chain.ts';
export * from './work.ts';
export * from './refusals/memory.ts';
export * from './refusals/messages.ts';
export * from './refusals/tokens.ts';
export * from './staking.ts';
export * from './contributions.ts';
export * from './refusals/readiness.ts';
export * from './golden-chain.ts';
export * from './golden-play.ts';
