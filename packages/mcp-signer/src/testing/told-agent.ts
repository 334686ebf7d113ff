/** An agent whose node is played back from a tape, with one lie in it: every read and act is first recorded against a real node. */
import type { JsonValue } from '@netd/protocol';
import { NetError, type Agent } from '@netd/sdk';

/** What was told, by what was asked: a value or a refusal of the node. */
type Tape = Map<string, { value: unknown } | { refused: NetError }>;

/** Replaces one scalar of what was told. */
interface Lie {
  /** What was asked, and the path to the scalar in the answer. */
  asked: string;
  path: readonly string[];
  lie: JsonValue;
}

export class ToldAgent {
  private readonly real: Agent;
  private readonly tape: Tape = new Map();
  private lie: Lie | null = null;
  private isRecording = true;
  /** Acts that are only said to be done. */
  private readonly feigned: ReadonlySet<string>;

  constructor(real: Agent, feigned: readonly string[] = []) {
    this.real = real;
    this.feigned = new Set(feigned);
  }

  /** The agent as tools get it. */
  get agent(): Agent {
    return this.proxy(this.real, 'agent');
  }

  /** From now on nothing reaches the node. @returns every scalar that it has told */
  scalars(): Omit<Lie, 'lie'>[] {
    this.isRecording = false;
    return [...this.tape].flatMap(([asked, told]) =>
      pathsOf('value' in told ? told.value : told.refused.problem).map((path) => ({ asked, path })),
    );
  }

  tell(lie: Lie): void {
    this.lie = lie;
  }

  private proxy<Target extends object>(target: Target, place: string): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const at = `${place}.${String(name)}`;
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member === 'object' && member !== null) return this.proxy(member, at);
        // A memory is told by the chain, all else is the agent's own.
        if (typeof member === 'number') return this.said(at, member);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const asked = `${at} ${JSON.stringify(args)}`;
          const act = (): unknown => Reflect.apply(member, target, args);
          if (at.startsWith('agent.memory.')) return act();
          if (name === 'items') return this.items(asked, act as () => AsyncIterable<unknown>);
          return this.told(asked, this.feigned.has(at) ? async () => ({}) : act);
        };
      },
    });
  }

  private async told(asked: string, act: () => unknown): Promise<unknown> {
    if (!this.isRecording) return this.played(asked);
    try {
      const value: unknown = await act();
      this.tape.set(asked, { value });
      return value;
    } catch (error) {
      if (error instanceof NetError) this.tape.set(asked, { refused: error });
      throw error;
    }
  }

  private said(asked: string, value: unknown): unknown {
    if (!this.isRecording) return this.played(asked);
    this.tape.set(asked, { value });
    return value;
  }

  private async *items(asked: string, act: () => AsyncIterable<unknown>): AsyncIterable<unknown> {
    const all = async (): Promise<unknown[]> => {
      const found = [];
      for await (const one of act()) found.push(one);
      return found;
    };
    yield* (await this.told(asked, all)) as unknown[];
  }

  private played(asked: string): unknown {
    const told = this.tape.get(asked);
    if (!told) throw new NotOnTapeError(asked);
    const lie = this.lie?.asked === asked ? this.lie : null;
    if ('value' in told) return lie ? lied(told.value, lie) : told.value;
    const { status, problem } = told.refused;
    throw new NetError(status, (lie ? lied(problem, lie) : problem) as NetError['problem']);
  }
}

/** A copy with the lie in it. */
function lied(value: unknown, { path, lie }: Lie): unknown {
  const name = path.at(-1);
  if (name === undefined) return lie;
  const copy: unknown = structuredClone(value);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, one) => Reflect.get(at as object, one), copy);
  Reflect.set(holder as object, name, lie);
  return copy;
}

/** A lie has led a tool to ask for something else. */
class NotOnTapeError extends Error {
  override name = 'NotOnTapeError';
}

/** Paths to all scalars; those of values with methods are no words of a node. */
function pathsOf(value: unknown): string[][] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object') return [[]];
  const { constructor } = value;
  if (constructor !== Object && constructor !== Array) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    pathsOf(one).map((path) => [name, ...path]),
  );
}
