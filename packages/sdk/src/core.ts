/** Keys, actions, reads, proofs and events without the agent: a smaller module for pages. */
export type { ActionName, PayloadFor, PayloadOf, WholePayloadOf } from './actions.ts';
export { NetSdkError, type Receipt } from '@netd/protocol';
export * from './agent-key.ts';
export { AmountError, type NetAmount } from './amount.ts';
export type { Bounds } from './bounds.ts';
export * from './browser-key-store.ts';
export * from './client.ts';
export * from './events.ts';
export type { components, paths } from './generated/openapi.ts';
export type { ErrorCode } from './generated/tables.ts';
export { NetError, type NetErrorCode, type Problem } from './http.ts';
export type {
  DocumentOf,
  ItemOf,
  PagedPath,
  ParametersOf,
  ReadPath,
  SchemaOf,
  TextPath,
} from './reads.ts';
export { LostAnswerError } from './submission.ts';
export * from './trust-comparison.ts';
export * from './verified-origins.ts';
export * from './verified-reader.ts';
