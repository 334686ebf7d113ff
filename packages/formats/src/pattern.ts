/**
 * Patterns that strangers write, as far as every engine takes them the same: RE2 in JavaScript and an automaton in Python. What the two read
 * differently, or one of them alone, is refused here before either sees it. `clients/python/src/netsdk/formats/pattern.py` is the same.
 */

/** Characters of a pattern. */
const MAX_PATTERN_LENGTH = 512;
/** Repetitions of one part times those of the parts around it: engines differ in what they take beyond that. */
const MAX_REPETITION = 1_000;
/** A number of more digits is too large, whatever it is. */
const DIGITS = 4;

const ESCAPE = /\\[dDwWnrtfv!-/:;=?@[-`{-~]/u.source;
/** The parts of a character class: characters, escapes, and `-`, which is looked at below. */
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
/** Operators between classes for one engine, plain characters for the other. */
const CLASS_OPERATORS = /&&|--|~~/;
const SEVERAL = /^\\[dDwW]$/;

/** Why a pattern is not judged, and what to write. */
export class PatternError extends Error {}

/** A group, or the last of its parts. */
interface Part {
  cost: number;
  /** How often anything in it is repeated. */
  repeated: number;
}

/**
 * How many instructions an automaton of the pattern has, about: what stands in `{n,m}` counts m times.
 * @throws PatternError where engines would differ
 */
export function patternCost(pattern: string): number {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(`a pattern of at most ${MAX_PATTERN_LENGTH} characters is needed`);
  }
  const around: Part[] = [];
  let group: Part = { cost: 0, repeated: 1 };
  let last: Part | null = null;
  for (let at = 0; at < pattern.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(pattern)?.groups;
    if (!found)
      throw new PatternError(`${signAt(pattern, at)} is read differently by engines here`);
    if (found['open'] !== undefined) {
      around.push(group);
      group = { cost: 0, repeated: 1 };
      last = null;
    } else if (found['close'] !== undefined) {
      const outer = around.pop();
      if (!outer) throw new PatternError('a ) closes no group');
      last = group;
      group = add(outer, group);
    } else if (found['bar'] !== undefined || found['edge'] !== undefined) {
      group = add(group, { cost: 1, repeated: 1 });
      last = null;
    } else if (found['times'] !== undefined) {
      if (!last) throw new PatternError(`${found['times']} repeats nothing that can be repeated`);
      const times = timesOf(found);
      const repeated = last.repeated * times;
      if (repeated > MAX_REPETITION) {
        throw new PatternError(`more than ${MAX_REPETITION} repetitions, one within the other`);
      }
      group = add(group, { cost: last.cost * (times - 1) + 1, repeated });
      last = null;
    } else {
      if (found['parts'] !== undefined) checkClass(found['parts']);
      last = { cost: 1, repeated: 1 };
      group = add(group, last);
    }
  }
  if (around.length > 0) throw new PatternError('a group is not closed');
  return group.cost;
}

const add = (group: Part, more: Part): Part => ({
  cost: group.cost + more.cost,
  repeated: Math.max(group.repeated, more.repeated),
});

/** The larger of the two numbers, at least 1. */
function timesOf({ least, most = '' }: Record<string, string | undefined>): number {
  if (least === undefined) return 1;
  if (least.length > DIGITS || most.length > DIGITS) return MAX_REPETITION + 1;
  if (most !== '' && Number(most) < Number(least)) {
    throw new PatternError(`{${least},${most}} ends before it begins`);
  }
  return Math.max(Number(least), Number(most), 1);
}

function checkClass(parts: string): void {
  if (CLASS_OPERATORS.test(parts)) {
    throw new PatternError('&&, -- and ~~ between brackets are read differently by engines');
  }
  const items: string[] = parts.match(CLASS_PARTS) ?? [];
  for (let at = 0; at + 2 < items.length; at++) {
    const [from = '', between, to = ''] = items.slice(at, at + 3);
    if (between !== '-') continue;
    if (SEVERAL.test(from) || SEVERAL.test(to)) {
      throw new PatternError(`${from}-${to} is no range of characters`);
    }
    if (pointOf(from) > pointOf(to)) throw new PatternError(`${from}-${to} ends before it begins`);
    at += 2;
  }
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

/** The code point that a character stands for, or one behind a backslash. */
function pointOf(item: string): number {
  const sign = /^\\./u.test(item) ? item.slice(1) : item;
  const plain = sign === item ? item : (CONTROLS[sign] ?? sign);
  return plain.codePointAt(0) ?? 0;
}

/** The character or escape at a position, quoted for people. */
function signAt(pattern: string, at: number): string {
  const [first = '', second = ''] = Array.from(pattern.slice(at, at + 4));
  return JSON.stringify(first === '\\' ? first + second : first);
}
