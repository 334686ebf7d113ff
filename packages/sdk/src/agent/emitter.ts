/** Calls listeners. Isolates a listener that throws. */
import type { JsonObject } from '@netd/protocol';
import { AGENT_EVENT_NAMES, type AgentEvents, type HireEvents } from '../generated/agent-events.ts';
import { shown } from '../option-names.ts';
import { codeOf } from './agent-error.ts';
import { requireHandler } from './arguments.ts';
import { refuseArgument } from './core-error.ts';

export type { AgentEvents, HireEvents } from '../generated/agent-events.ts';
export type AgentEventName = keyof AgentEvents;
export type HireEventName = keyof HireEvents;
type Listener<Event> = (event: Event) => unknown;

export class Emitter<Events extends object = AgentEvents> {
  private readonly listeners = new Map<keyof Events, Set<Listener<never>>>();
  private readonly log: (line: string) => void;
  private readonly names: readonly (keyof Events)[];

  constructor(log: (line: string) => void, names: readonly (keyof Events)[]) {
    this.log = log;
    this.names = names;
  }

  /**
   * @returns a function that removes the listener
   * @throws AgentError ARGUMENT_INVALID
   */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    if (!this.names.includes(name)) {
      refuseArgument(
        'name',
        `no event is called ${shown(name)}; there are ${this.names.join(', ')}`,
      );
    }
    requireHandler('on', listener);
    const all = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, all.add(listener));
    return () => void all.delete(listener);
  }

  has(name: keyof Events): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  /** Writes a log line without a listener. */
  emit<Name extends keyof Events & string>(name: Name, event: Events[Name]): void {
    const listeners = [...(this.listeners.get(name) ?? [])] as Listener<Events[Name]>[];
    if (listeners.length === 0) this.log(sentence(name, event as JsonObject));
    for (const listener of listeners) this.tell(name, listener, event);
  }

  tell<Name extends keyof Events & string>(
    name: Name,
    listener: Listener<Events[Name]>,
    event: Events[Name],
  ): void {
    void (async () => listener(event))().catch((error: unknown) =>
      this.log(`a listener of ${name} threw: ${(error as Error).message}`),
    );
  }
}

export class AgentEmitter extends Emitter {
  constructor(log: (line: string) => void) {
    super(log, AGENT_EVENT_NAMES);
  }

  /** For failures that the agent survives. */
  warn(error: unknown, about?: string): void {
    const { message } = error as Error;
    this.emit('warning', {
      code: codeOf(error) ?? 'UNEXPECTED',
      message: about === undefined ? message : `${about}: ${message}`,
    });
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
