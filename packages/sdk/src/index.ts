export * from './agent/agent-error.ts';
export { Agent, type AgentOptions, type SessionAgentOptions } from './agent/agent.ts';
export {
  defineService,
  type CallOptions,
  type ServedService,
  type Service,
  type ServiceDefinition,
  type ServiceHandler,
} from './agent/service.ts';
export type { TypeSchema } from './agent/type-schema.ts';
export type { SendOptions, SentMessage } from './agent/ask.ts';
export type { AgentEventName, AgentEvents, HireEventName, HireEvents } from './agent/emitter.ts';
export type { Finding } from './agent/findings.ts';
export {
  AGENT_HEALTH_TABLE,
  type AgentHealth,
  type AgentHealthCode,
  type AgentHealthReason,
} from './agent/health.ts';
export type { AgentHome, AgentState } from './agent/home.ts';
export { leasedHome, memoryHome, type SharedStore } from './agent/leased-home.ts';
export type { HandedOver, HandoverOptions } from './agent/handover.ts';
export type { HireOptions, TypedHireOptions } from './agent/hire-options.ts';
export type { Hired, HireResult } from './agent/hired.ts';
export type { Ticked } from './agent/lifecycle.ts';
export type { Memory } from './agent/memory.ts';
export type { MessageHandler } from './agent/message-worker.ts';
export type { Message, MessageContent, MessageKind } from './agent/message.ts';
export type { RestoredMemory, RuntimeHandler } from './agent/runtime-worker.ts';
export type { GrantedSession, SessionFile, SessionOptions } from './agent/session.ts';
export type { DurableJob } from './agent/job-steps.ts';
export type {
  Telemetry,
  TelemetryAttributes,
  TelemetryMeter,
  TelemetrySpan,
  TelemetryTracer,
} from './agent/telemetry.ts';
export type { RetryPolicy } from './agent/retry-policy.ts';
export type { Job, JobHandler, JobResult } from './agent/work-job.ts';
export type { WorkOrder } from './agent/parts.ts';
export type { TypedWorkOptions, WorkOffer, WorkOptions } from './agent/work-offer.ts';
export { FormatError, type FormatErrorCode, type WorkScope } from '@netd/formats';
export { errorFrom } from './error-json.ts';
export * from './core.ts';
export { awaitsVote, nextVote, type Ballot } from './sealed-vote.ts';
