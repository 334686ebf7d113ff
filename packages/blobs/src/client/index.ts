export * from './client.ts';
export * from './signature.ts';
