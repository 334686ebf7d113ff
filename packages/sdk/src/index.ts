export * from './agent-key.ts';
export * from './client.ts';
