/** An agent whose recorded node answers are replayed with one lie. */
import type { JsonValue } from '@netd/protocol';
import { NetError, type Agent } from '@netd/sdk';

/** Answers by question. */
type Tape = Map<string, { value: unknown } | { refused: NetError }>;

/** Replaces one scalar. */
interface Lie {
  /** The question, and the path in its answer. */
  asked: string;
  path: readonly string[];
  lie: JsonValue;
}

export class ToldAgent {
  private readonly real: Agent;
  private readonly tape: Tape = new Map();
  private lie: Lie | null = null;
  private isRecording = true;
  /** Acts that are faked. */
  private readonly feigned: ReadonlySet<string>;

  constructor(real: Agent, feigned: readonly string[] = []) {
    this.real = real;
    this.feigned = new Set(feigned);
  }

  get agent(): Agent {
    return this.proxy(this.real, 'agent');
  }

  /**
   * Stops recording.
   * @returns all recorded scalars
   */
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
        // Numbers of a memory come from the chain; the rest is local.
        if (typeof member === 'number') return this.said(at, member);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const asked = `${at} ${JSON.stringify(args)}`;
          const act = (): unknown => Reflect.apply(member, target, args);
          if (at.startsWith('agent.memory.')) return act();
          if (name === 'items' || name === 'pages')
            return this.items(asked, act as () => AsyncIterable<unknown>);
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

/** The lie caused an unrecorded question. */
class NotOnTapeError extends Error {
  override name = 'NotOnTapeError';
}

/** Skips values with methods, which are not a node's. */
function pathsOf(value: unknown): string[][] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object') return [[]];
  const { constructor } = value;
  if (constructor !== Object && constructor !== Array) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    pathsOf(one).map((path) => [name, ...path]),
  );
}
