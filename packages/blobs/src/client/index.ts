export * from './client.ts';
export { isRefusedAsWritten, reachFor, type Reach } from './reach.ts';
export * from './signature.ts';
