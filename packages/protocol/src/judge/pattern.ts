/**
 * Patterns that every engine reads the same; others are refused. Keep equal to
 * `clients/python/src/netsdk/formats/pattern.py`.
 */

const MAX_PATTERN_LENGTH = 512;
/** Engines differ above this repetition, and nested ones multiply. */
const MAX_REPETITION = 1_000;
/** Digits of a repetition. Longer numbers are too large anyway. */
const DIGITS = 4;

const ESCAPE = /\\[dDwWnrtfv!-/:;=?@[-`{-~]/u.source;
const CLASS_PART = `${ESCAPE}|${/[^\\[\]^]/u.source}`;
const CLASS_PARTS = new RegExp(CLASS_PART, 'gu');
const TOKEN = new RegExp(
  [
    /(?<open>\((?:\?:)?)|(?<close>\))|(?<bar>\|)|(?<edge>[$^])/u.source,
    /(?<times>[*+?]|\{(?<least>\d+)(?:,(?<most>\d*))?\})\??/u.source,
    String.raw`\[\^?(?<parts>(?:${CLASS_PART})+)\]`,
    ESCAPE,
    /[^\\[\](){}|*+?^$]/u.source,
  ].join('|'),
  'uy',
);
/** Texts that some engines read as set operators. */
const CLASS_OPERATORS = /&&|--|~~/;
const SEVERAL = /^\\[dDwW]$/;
const UNLIKE_GROUP =
  'engines differ in groups that begin with (?, such as lookarounds and names: use ( ) or (?: )';

export class PatternError extends Error {}

/** Sorted inclusive ranges of code points. */
export type Ranges = readonly (readonly [from: number, to: number])[];

export type PatternNode =
  | { kind: 'one'; of: Ranges }
  | { kind: 'begin' }
  | { kind: 'end' }
  | { kind: 'group'; alternatives: PatternNode[][] }
  | { kind: 'times'; node: PatternNode; least: number; most: number };

interface Part {
  cost: number;
  repeated: number;
  node: PatternNode;
}
type Group = Part & { node: PatternNode & { kind: 'group' } };

const newGroup = (): Group => ({
  cost: 0,
  repeated: 1,
  node: { kind: 'group', alternatives: [[]] },
});

export interface ParsedPattern {
  /** The approximate number of instructions. A part `{n,m}` counts m times, even if it is empty. */
  cost: number;
  tree: PatternNode;
}

export function parsePattern(pattern: string): ParsedPattern {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(`a pattern of at most ${MAX_PATTERN_LENGTH} characters is needed`);
  }
  const around: Group[] = [];
  let group = newGroup();
  let last: Part | null = null;
  for (let at = 0; at < pattern.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(pattern);
    const found = token?.groups;
    if (!found)
      throw new PatternError(`${signAt(pattern, at)} is read differently by engines here`);
    if (found['open'] !== undefined) {
      if (pattern[TOKEN.lastIndex] === '?') throw new PatternError(UNLIKE_GROUP);
      around.push(group);
      group = newGroup();
      last = null;
    } else if (found['close'] !== undefined) {
      const outer = around.pop();
      if (!outer) throw new PatternError('a ) closes no group');
      last = group;
      group = outer;
      add(group, last);
    } else if (found['bar'] !== undefined) {
      group.cost += 1;
      group.node.alternatives.push([]);
      last = null;
    } else if (found['edge'] !== undefined) {
      add(group, { cost: 1, repeated: 1, node: { kind: found['edge'] === '^' ? 'begin' : 'end' } });
      last = null;
    } else if (found['times'] !== undefined) {
      if (!last) throw new PatternError(`${found['times']} repeats nothing that can be repeated`);
      const { least, most } = timesOf(found);
      const times = Math.max(least, most === Infinity ? 1 : most, 1);
      const repeated = last.repeated * times;
      if (repeated > MAX_REPETITION) {
        throw new PatternError(`more than ${MAX_REPETITION} repetitions, one within the other`);
      }
      group.node.alternatives.at(-1)?.pop();
      const node: PatternNode = { kind: 'times', node: last.node, least, most };
      add(group, { cost: Math.max(last.cost, 1) * (times - 1) + 1, repeated, node });
      last = null;
    } else {
      const sign = token?.[0] ?? '';
      const of =
        found['parts'] === undefined
          ? sign === '.'
            ? NO_LINE_FEED
            : rangesOf(sign)
          : classOf(found['parts'], sign.startsWith('[^'));
      last = { cost: 1, repeated: 1, node: { kind: 'one', of } };
      add(group, last);
    }
  }
  if (around.length > 0) throw new PatternError('a group is not closed');
  return { cost: group.cost, tree: group.node };
}

function add(group: Group, more: Part): void {
  group.cost += more.cost;
  group.repeated = Math.max(group.repeated, more.repeated);
  group.node.alternatives.at(-1)?.push(more.node);
}

function timesOf({ times = '', least, most }: Record<string, string | undefined>): {
  least: number;
  most: number;
} {
  if (least === undefined) {
    return { least: times.startsWith('+') ? 1 : 0, most: times.startsWith('?') ? 1 : Infinity };
  }
  const numberOf = (digits: string): number =>
    digits.length > DIGITS ? MAX_REPETITION + 1 : Number(digits);
  const from = numberOf(least);
  const to = most === undefined ? from : most === '' ? Infinity : numberOf(most);
  if (to < from) throw new PatternError(`{${least},${most}} ends before it begins`);
  return { least: from, most: to };
}

function classOf(parts: string, isNegated: boolean): Ranges {
  if (CLASS_OPERATORS.test(parts)) {
    throw new PatternError('&&, -- and ~~ between brackets are read differently by engines');
  }
  const items: string[] = parts.match(CLASS_PARTS) ?? [];
  const ranges: [number, number][] = [];
  for (let at = 0; at < items.length; at++) {
    const [from = '', between, to] = items.slice(at, at + 3);
    if (between !== '-' || to === undefined) {
      for (const [first, last] of rangesOf(from)) ranges.push([first, last]);
      continue;
    }
    if (SEVERAL.test(from) || SEVERAL.test(to)) {
      throw new PatternError(`${from}-${to} is no range of characters`);
    }
    if (pointOf(from) > pointOf(to)) throw new PatternError(`${from}-${to} ends before it begins`);
    ranges.push([pointOf(from), pointOf(to)]);
    at += 2;
  }
  return isNegated ? complement(ranges) : merged(ranges);
}

const LAST_POINT = 0x10_ff_ff;
const DIGIT: Ranges = [[48, 57]];
const WORD: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];

function merged(ranges: Ranges): Ranges {
  const made: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = made.at(-1);
    if (before && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else made.push([from, to]);
  }
  return made;
}

function complement(ranges: Ranges): Ranges {
  const made: [number, number][] = [];
  let next = 0;
  for (const [from, to] of merged(ranges)) {
    if (from > next) made.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_POINT) made.push([next, LAST_POINT]);
  return made;
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
const NO_LINE_FEED = complement([[10, 10]]);
const SEVERAL_RANGES: Readonly<Record<string, Ranges>> = {
  [String.raw`\d`]: DIGIT,
  [String.raw`\D`]: complement(DIGIT),
  [String.raw`\w`]: WORD,
  [String.raw`\W`]: complement(WORD),
};

function rangesOf(sign: string): Ranges {
  return SEVERAL_RANGES[sign] ?? [[pointOf(sign), pointOf(sign)]];
}

function pointOf(item: string): number {
  const sign = /^\\./u.test(item) ? item.slice(1) : item;
  const plain = sign === item ? item : (CONTROLS[sign] ?? sign);
  return plain.codePointAt(0) ?? 0;
}

function signAt(pattern: string, at: number): string {
  const [first = '', second = ''] = Array.from(pattern.slice(at, at + 4));
  return JSON.stringify(first === '\\' ? first + second : first);
}
