export type { ActionName, PayloadFor, PayloadOf, WholePayloadOf } from './actions.ts';
export * from './agent-key.ts';
export * from './agent/agent-error.ts';
export { Agent, type AgentOptions } from './agent/agent.ts';
export type { SendOptions, SentMessage } from './agent/ask.ts';
export type { AgentEventName, AgentEvents } from './agent/emitter.ts';
export { memoryHome, type AgentHome, type AgentState } from './agent/home.ts';
export type { Memory } from './agent/memory.ts';
export type { MessageHandler } from './agent/message-desk.ts';
export type { Message, MessageContent, MessageKind } from './agent/message.ts';
export type { Job, JobHandler, JobResult } from './agent/work-job.ts';
export type { WorkOffer, WorkOptions } from './agent/work-offer.ts';
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
export * from './verified-reader.ts';
