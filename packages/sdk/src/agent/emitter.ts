/** Calls listeners. An error in one listener does not stop the others. */
import type { JsonObject } from '@netd/protocol';
import {
  AGENT_EVENT_MEMBERS,
  type AgentEvents,
  type HireEvents,
} from '../generated/agent-events.ts';
import { shown } from '../option-names.ts';
import { codeOf } from './agent-error.ts';
import { described } from './as-error.ts';
import { requireHandler } from './arguments.ts';
import { refuseArgument } from './core-error.ts';

export type { AgentEvents, HireEvents } from '../generated/agent-events.ts';
/** Names of the events of an agent. */
export type AgentEventName = keyof AgentEvents;
/** Names of the events of a hired order. */
export type HireEventName = keyof HireEvents;
type EventMembers<Events> = { readonly [Name in keyof Events]: readonly string[] };
type Listener<Event> = (event: Event) => unknown;

export class Emitter<Events extends object = AgentEvents> {
  /** Number of events since the agent was opened. */
  readonly counts: Partial<Record<keyof Events, number>> = {};
  private readonly listeners = new Map<keyof Events, Set<Listener<never>>>();
  private readonly log: (line: string) => void;
  private readonly members: EventMembers<Events>;

  constructor(log: (line: string) => void, members: EventMembers<Events>) {
    this.log = log;
    this.members = members;
  }

  /** @returns a function that removes the listener */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    if (!Object.hasOwn(this.members, name)) {
      refuseArgument(
        'name',
        `no event is called ${shown(name)}; there are ${Object.keys(this.members).join(', ')}`,
      );
    }
    requireHandler('on', listener);
    const all = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, all.add(listener));
    return () => void all.delete(listener);
  }

  /** Called with each event, before its listeners. */
  tap: ((name: string, event: object) => void) | null = null;

  has(name: keyof Events): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  /** Emits an event. Logs a line if it has no listener. */
  emit<Name extends keyof Events & string>(name: Name, event: Events[Name]): void {
    if (!this.has(name)) this.log(sentence(name, event as JsonObject));
    this.note(name, event);
  }

  /** Emits an event that no log needs. */
  note<Name extends keyof Events & string>(name: Name, event: Events[Name]): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.tap?.(name, event as object);
    const listeners = [...(this.listeners.get(name) ?? [])] as Listener<Events[Name]>[];
    for (const listener of listeners) this.tell(name, listener, event);
  }

  /** @throws TypeError if a member is missing, as in a malformed event of a node */
  emitFrom(event: string, facts: Record<string, unknown>): object {
    const name = event as keyof Events & string;
    const members = this.members[name].map((member) => {
      if (facts[member] === undefined) throw new TypeError(`it has no ${member}`);
      return [member, facts[member]];
    });
    const told = Object.fromEntries(members) as Events[typeof name] & object;
    this.emit(name, told);
    return told;
  }

  tell<Name extends keyof Events & string>(
    name: Name,
    listener: Listener<Events[Name]>,
    event: Events[Name],
  ): void {
    void (async () => listener(event))().catch((error: unknown) =>
      this.log(`a listener of ${name} threw: ${described(error)}`),
    );
  }
}

export class AgentEmitter extends Emitter {
  constructor(log: (line: string) => void) {
    super(log, AGENT_EVENT_MEMBERS);
  }

  warn(error: unknown, about?: string): void {
    const message = described(error);
    this.emit('warning', {
      code: codeOf(error) ?? 'UNEXPECTED',
      message: about === undefined ? message : `${about}: ${message}`,
    });
  }
}

function sentence(name: string, event: JsonObject): string {
  const facts = Object.entries(event).map(([key, value]) => {
    if (value instanceof Error) return `${key}: ${described(value)}`;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      return value.length === 0 ? null : `${key}: ${value.join('; ')}`;
    return value !== null && typeof value === 'object' ? null : `${key}: ${String(value)}`;
  });
  return `${name}  ${facts.filter((fact) => fact !== null).join(', ')}`;
}
