/**
 * Parses strangers' JSON for the judge. Members keep the order of the text, so that languages count alike.
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

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

class Parser {
  private readonly text: string;
  private at = 0;
  private readonly path: (string | number)[] = [];

  constructor(text: string) {
    this.text = text;
  }

  parse(): ExactJson {
    const value = this.value();
    if (this.at < this.text.length) fail();
    return value;
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
      // The number has a sign, a fraction or an exponent.
      if (end === at || code === 0x2e || code === 0x45 || code === 0x65) return null;
      this.at = end;
      return value;
    }
    return null;
  }

  private number(): ExactNumber {
    const value = exactNumber(this.token(NUMBER));
    if (value !== null) return value;
    const message = `a number has more than ${MAX_NUMBER_DIGITS} digits, or such an exponent`;
    throw new JudgeError('number', jsonPointer(this.path), message);
  }

  private object(): ExactJson {
    const members = new Map<string, ExactJson>();
    this.enter();
    if (this.take('}')) return members;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') fail();
      const name = this.string();
      this.space();
      if (!this.take(':')) fail();
      this.path.push(name);
      members.set(name, this.value());
      this.path.pop();
      if (this.take(',')) continue;
      if (this.take('}')) return members;
      fail();
    }
  }

  private array(): ExactJson {
    const items: ExactJson[] = [];
    this.enter();
    if (this.take(']')) return items;
    for (;;) {
      this.path.push(items.length);
      items.push(this.value());
      this.path.pop();
      if (this.take(',')) continue;
      if (this.take(']')) return items;
      fail();
    }
  }

  private enter(): void {
    if (this.path.length >= MAX_DOCUMENT_DEPTH) fail();
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
