export * from './address-share.ts';
export * from './connection-guard.ts';
export * from './fair-queue.ts';
export * from './listen-failure.ts';
export * from './range.ts';
export * from './trust-proxy.ts';
