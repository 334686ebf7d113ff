/** What the client has in browsers: all but what needs files. */
export * from './agent-key.ts';
export * from './client.ts';
export * from './events.ts';
export type { components, paths } from './generated/openapi.ts';
export * from './http.ts';
export * from './reads.ts';
export * from './trust-comparison.ts';
export * from './verified-reader.ts';
