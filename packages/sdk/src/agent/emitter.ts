/** Tells listeners what happened; whoever listens badly harms nobody else. */
import type { JsonObject, Receipt } from '@netd/protocol';
import { codeOf } from './agent-error.ts';
import type { Finding } from './findings.ts';
import type { Message } from './message.ts';

export interface AgentEvents {
  /** An order was paid: `amount` in unet is what this agent got. */
  paid: { orderId: string; amount: number; receipt: Receipt | null };
  /** An order that was worked on ended unpaid; `findings` are words of its verifiers. */
  rejected: { orderId: string; reason: string; findings: Finding[] };
  /** Three deliveries of one kind were rejected in a row: no more of it is taken until `resumeWork` or a new start. */
  paused: { jobType: string; reasons: string[]; goOn: string };
  /** An order that matched was not taken. */
  skipped: { orderId: string; code: string; reason: string };
  /** A handler threw, or returned what cannot be delivered; `attempt` counts from 1. */
  failed: { orderId: string; attempt: number; error: Error };
  accepted: { orderId: string };
  delivered: { orderId: string; deliverableHash: string };
  /** A message could not be opened, or its handler threw each time. */
  refused: { messageId: string; fromAgentId: string; code: string; reason: string };
  /** An answer to a question that no process waits for any more. */
  answer: { messageId: string; message: Message };
  checkpoint: { generation: number; checkpointHash: string };
  /** The memory of this agent was handed over: from now on it is written there. */
  moved: { handoverId: string; providerId: string; runtimeId: string; generation: number };
  /** A memory was restored here, and said to be. */
  restored: { handoverId: string; agentId: string; runtimeId: string };
  /** Something is not there yet and is looked for again, for a bounded while. */
  waiting: { for: string };
  /** The node does not answer; it is asked again in `nextTryIn` milliseconds, and nothing is lost meanwhile. */
  offline: { url: string; forMilliseconds: number; nextTryIn: number; reason: string };
  /** It answers again. */
  online: { url: string; forMilliseconds: number };
  /** Something goes on all the same, and its owner should know. */
  warning: { code: string; message: string };
}

export type AgentEventName = keyof AgentEvents;
type Listener<Name extends AgentEventName> = (event: AgentEvents[Name]) => unknown;

export class Emitter {
  private readonly listeners = new Map<AgentEventName, Set<Listener<never>>>();
  private readonly log: (line: string) => void;

  constructor(log: (line: string) => void) {
    this.log = log;
  }

  /** @returns what takes the listener away again */
  on<Name extends AgentEventName>(name: Name, listener: Listener<Name>): () => void {
    const all = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, all.add(listener));
    return () => void all.delete(listener);
  }

  /** Whether a listener waits for events of this name. */
  has(name: AgentEventName): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  /** Something goes on all the same, and its owner should know. */
  warn(error: unknown, about?: string): void {
    const { message } = error as Error;
    this.emit('warning', {
      code: codeOf(error) ?? 'UNEXPECTED',
      message: about === undefined ? message : `${about}: ${message}`,
    });
  }

  /** Whoever listens hears it; a line of the log says it where nobody does. */
  emit<Name extends AgentEventName>(name: Name, event: AgentEvents[Name]): void {
    const listeners = [...(this.listeners.get(name) ?? [])] as Listener<Name>[];
    if (listeners.length === 0) this.log(sentence(name, event as JsonObject));
    for (const listener of listeners) {
      void (async () => listener(event))().catch((error: unknown) =>
        this.log(`a listener of ${name} threw: ${(error as Error).message}`),
      );
    }
  }
}

function sentence(name: string, event: JsonObject): string {
  const facts = Object.entries(event).map(([key, value]) => {
    if (value instanceof Error) return `${key}: ${value.message}`;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      return value.length === 0 ? null : `${key}: ${value.join('; ')}`;
    return value !== null && typeof value === 'object' ? null : `${key}: ${String(value)}`;
  });
  return `${name}  ${facts.filter((fact) => fact !== null).join(', ')}`;
}
