/**
 * Matches with a set of states, so the cost per character is at most the pattern's size. Keep equal to
 * `netsdk/formats/automaton.py`.
 */
import type { Meter } from './meter.ts';
import type { PatternNode, Ranges } from './pattern.ts';

const ONE = 0;
const SPLIT = 1;
const BEGIN = 2;
const END = 3;
const MATCH = 4;

/** A compiled pattern, in typed arrays for speed. */
export interface Automaton {
  kinds: Uint8Array;
  first: Uint32Array;
  second: Uint32Array;
  classes: readonly (CodePoints | null)[];
}

interface CodePoints {
  ascii: Uint8Array;
  ranges: Ranges;
}

interface Instruction {
  kind: number;
  first: number;
  second: number;
  points: CodePoints | null;
}

export function automatonOf(tree: PatternNode): Automaton {
  const made: Instruction[] = [];
  const emit = (kind: number, points: CodePoints | null = null): Instruction => {
    const next = made.length + 1;
    const instruction = { kind, first: next, second: next, points };
    made.push(instruction);
    return instruction;
  };

  function optional(node: PatternNode, isLoop: boolean): void {
    const start = made.length;
    const choice = emit(SPLIT);
    put(node);
    if (isLoop) {
      const back = emit(SPLIT);
      back.first = start;
      back.second = start;
    }
    choice.second = made.length;
  }

  function either(alternatives: PatternNode[][]): void {
    const ends: Instruction[] = [];
    for (const [index, sequence] of alternatives.entries()) {
      const choice = index < alternatives.length - 1 ? emit(SPLIT) : null;
      for (const node of sequence) put(node);
      if (choice) {
        ends.push(emit(SPLIT));
        choice.second = made.length;
      }
    }
    for (const end of ends) {
      end.first = made.length;
      end.second = made.length;
    }
  }

  function put(node: PatternNode): void {
    if (node.kind === 'one') emit(ONE, pointsOf(node.of));
    else if (node.kind === 'begin') emit(BEGIN);
    else if (node.kind === 'end') emit(END);
    else if (node.kind === 'group') either(node.alternatives);
    else if (node.kind === 'times') {
      for (let i = 0; i < node.least; i++) put(node.node);
      if (node.most === Infinity) optional(node.node, true);
      else for (let i = node.least; i < node.most; i++) optional(node.node, false);
    }
  }

  put(tree);
  emit(MATCH);
  return {
    kinds: Uint8Array.from(made, ({ kind }) => kind),
    first: Uint32Array.from(made, ({ first }) => first),
    second: Uint32Array.from(made, ({ second }) => second),
    classes: made.map(({ points }) => points),
  };
}

const known = new WeakMap<Ranges, CodePoints>();

function pointsOf(ranges: Ranges): CodePoints {
  let points = known.get(ranges);
  if (!points) {
    const ascii = new Uint8Array(128);
    for (const [from, to] of ranges) if (from < 128) ascii.fill(1, from, Math.min(to, 127) + 1);
    points = { ascii, ranges };
    known.set(ranges, points);
  }
  return points;
}

function isIn({ ascii, ranges }: CodePoints, point: number): boolean {
  if (point < 128) return ascii[point] === 1;
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? 0) < point) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.[0] ?? Infinity) <= point;
}

export function* matches(
  automaton: Automaton,
  text: string,
  meter: Meter,
): Generator<void, boolean> {
  const run = new Run(automaton, text, meter);
  while (!run.isOver) {
    run.advance();
    if (meter.isDue()) yield;
  }
  return run.isMatch;
}

class Run {
  isMatch = false;
  private readonly automaton: Automaton;
  private readonly text: string;
  private readonly meter: Meter;
  private at = 0;
  private states: Uint32Array;
  private spare: Uint32Array;
  private count = 0;
  private readonly addedAt: Int32Array;
  private readonly open: Uint32Array;

  constructor(automaton: Automaton, text: string, meter: Meter) {
    this.automaton = automaton;
    this.text = text;
    this.meter = meter;
    const size = automaton.kinds.length;
    this.states = new Uint32Array(size);
    this.spare = new Uint32Array(size);
    this.addedAt = new Int32Array(size).fill(-1);
    this.open = new Uint32Array(2 * size + 1);
    meter.steps += size >> 4;
    this.count = this.add(0, 0, this.states, 0);
  }

  get isOver(): boolean {
    return this.isMatch || this.at === this.text.length;
  }

  advance(): void {
    const { text, addedAt, meter } = this;
    const { kinds, classes } = this.automaton;
    while (!this.isOver && !meter.isDue()) {
      const point = text.codePointAt(this.at) ?? 0;
      const at = this.at + (point > 0xff_ff ? 2 : 1);
      const { states, spare, count } = this;
      let reached = 0;
      for (let i = 0; i < count; i++) {
        const state = states[i] ?? 0;
        const points = classes[state];
        if (!points || !isIn(points, point)) continue;
        const next = state + 1;
        if (kinds[next] !== ONE) reached = this.add(next, at, spare, reached);
        else if (addedAt[next] !== at) {
          addedAt[next] = at;
          spare[reached++] = next;
          this.meter.steps += 1;
        }
      }
      this.count = this.add(0, at, spare, reached);
      this.states = spare;
      this.spare = states;
      this.at = at;
      meter.steps += count + 1;
    }
  }

  /**
   * Adds a state and those reachable without a character. Each new state is a step. Returns the new count.
   */
  private add(state: number, at: number, states: Uint32Array, before: number): number {
    const { open, addedAt, text } = this;
    const { kinds, first, second } = this.automaton;
    let count = before;
    open[0] = state;
    for (let height = 1; height > 0;) {
      const next = open[--height] ?? 0;
      if (addedAt[next] === at) continue;
      addedAt[next] = at;
      this.meter.steps += 1;
      const kind = kinds[next];
      if (kind === ONE) states[count++] = next;
      else if (kind === SPLIT) {
        open[height++] = second[next] ?? 0;
        open[height++] = first[next] ?? 0;
      } else if (kind === MATCH) this.isMatch = true;
      else if (kind === BEGIN ? at === 0 : at === text.length) open[height++] = next + 1;
    }
    return count;
  }
}
