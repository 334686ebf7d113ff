/**
 * Parses strangers' JSON for the judge. Members keep the order of the text, so that every language counts the
 * same steps.
 */
import { MAX_DOCUMENT_DEPTH } from '../limits.ts';
import { jsonPointer } from '../strict-json.ts';
import { Decimal, exactNumber, MAX_NUMBER_DIGITS, type ExactNumber } from './exact-number.ts';
import { JudgeError } from './judge-error.ts';

export type ExactJson =
  null | boolean | string | ExactNumber | readonly ExactJson[] | ReadonlyMap<string, ExactJson>;

export const isExactNumber = (value: ExactJson): value is ExactNumber =>
  typeof value === 'number' || value instanceof Decimal;

/** @param value parsed JSON; numbers mean their shortest digits */
export function exactValue(value: unknown): ExactJson {
  if (typeof value === 'number') return exactNumber(String(value)) ?? 0;
  if (Array.isArray(value)) return value.map(exactValue);
  if (typeof value !== 'object' || value === null) return value as string | boolean | null;
  return new Map(Object.entries(value).map(([name, one]) => [name, exactValue(one)]));
}

/**
 * Returns undefined if the text is not JSON or nests too deep. Of duplicate members the last counts.
 * @throws JudgeError `number`
 */
export function parseExactJson(text: string): ExactJson | undefined {
  try {
    return new Parser(text).parse();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Stands for a number that is too long, until the whole text is known to be JSON. */
const TOO_LONG = new Decimal(false, '', 1);

function pathOfTooLong(value: ExactJson): (string | number)[] | null {
  if (value === TOO_LONG) return [];
  const members =
    value instanceof Map || Array.isArray(value)
      ? (value as ReadonlyMap<string | number, ExactJson>).entries()
      : [];
  for (const [step, item] of members) {
    const path = pathOfTooLong(item);
    if (path) return [step, ...path];
  }
  return null;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

class Parser {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private hasTooLong = false;

  constructor(text: string) {
    this.text = text;
  }

  parse(): ExactJson {
    const value = this.value();
    if (this.at < this.text.length) fail();
    if (!this.hasTooLong) return value;
    const message = `a number has more than ${MAX_NUMBER_DIGITS} digits, or such an exponent`;
    throw new JudgeError('number', jsonPointer(pathOfTooLong(value) ?? []), message);
  }

  private value(): ExactJson {
    this.space();
    const value = this.bare();
    this.space();
    return value;
  }

  private bare(): ExactJson {
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      case 't':
      case 'f':
      case 'n':
        return JSON.parse(this.token(WORD)) as boolean | null;
      default:
        return this.smallWhole() ?? this.number();
    }
  }

  /** Reads a small whole number, the most common kind; null for others. */
  private smallWhole(): number | null {
    const { text, at } = this;
    let value = 0;
    for (let end = at; end < at + 15; end++) {
      const code = text.charCodeAt(end);
      if (code >= 0x30 && code <= 0x39) {
        if (end === at + 1 && value === 0) return null;
        value = 10 * value + code - 0x30;
        continue;
      }
      if (end === at || code === 0x2e || code === 0x45 || code === 0x65) return null;
      this.at = end;
      return value;
    }
    return null;
  }

  private number(): ExactNumber {
    const value = exactNumber(this.token(NUMBER));
    this.hasTooLong ||= value === null;
    return value ?? TOO_LONG;
  }

  private object(): ExactJson {
    const members = new Map<string, ExactJson>();
    this.enter();
    if (this.take('}')) {
      this.depth--;
      return members;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') fail();
      const name = this.string();
      this.space();
      if (!this.take(':')) fail();
      members.set(name, this.value());
      if (this.take(',')) continue;
      if (!this.take('}')) fail();
      this.depth--;
      return members;
    }
  }

  private array(): ExactJson {
    const items: ExactJson[] = [];
    this.enter();
    if (this.take(']')) {
      this.depth--;
      return items;
    }
    for (;;) {
      items.push(this.value());
      if (this.take(',')) continue;
      if (!this.take(']')) fail();
      this.depth--;
      return items;
    }
  }

  private enter(): void {
    if (++this.depth > MAX_DOCUMENT_DEPTH) fail();
    this.at++;
    this.space();
  }

  private string(): string {
    const start = this.at;
    for (let at = start + 1; ; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x5c) at++;
      else if (code === 0x22) {
        this.at = at + 1;
        break;
      } else if (!(code >= 0x20)) fail();
    }
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private token(form: RegExp): string {
    form.lastIndex = this.at;
    const found = form.exec(this.text)?.[0] ?? fail();
    this.at += found.length;
    return found;
  }

  private space(): void {
    if (!(this.text.charCodeAt(this.at) <= 0x20)) return;
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  private take(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }
}

function fail(): never {
  throw new SyntaxError('this is not JSON, or nests too deep');
}
