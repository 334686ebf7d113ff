/**
 * JSON for envelopes: I-JSON (RFC 7493), and stricter if languages disagree. Rejects duplicate members, lone
 * surrogates, `1.0`, `1e3`, `-0`, integers beyond ±(2^53−1) and `__proto__`, so that every implementation
 * reads the same value. Also rejects strings beyond 2,048 characters and nesting beyond 32 levels.
 */
import type { JsonObject, JsonValue } from './canonical-json.ts';
import { MAX_JSON_DEPTH, MAX_STRING_LENGTH } from './limits.ts';

export class StrictJsonError extends Error {
  override name = 'StrictJsonError';
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}

export interface ParsedJson {
  value: JsonValue;
  /** Null unless the text is in RFC 8785 form. */
  canonical: CanonicalText | null;
}

export interface CanonicalText {
  text: string;
  /** From the quote of the outermost member's name to the end of its value; null if absent. */
  signature: { start: number; end: number } | null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseStrictJson(input: Uint8Array | string): JsonValue {
  return parseStrictJsonText(input).value;
}

/**
 * Parses, and says if the text was canonical: most clients send the bytes they signed, so these need not be
 * made again.
 */
export function parseStrictJsonText(input: Uint8Array | string): ParsedJson {
  let text: string;
  try {
    text = typeof input === 'string' ? input : utf8.decode(input);
  } catch {
    throw new StrictJsonError('the body is not valid UTF-8', '');
  }
  return new Parser(text).parse();
}

/**
 * Accepts values that `parseStrictJson` would give for their canonical text, in an eighth of the time. Cannot
 * see duplicate members.
 * @throws StrictJsonError with path and reason
 */
export function requireStrictValue(value: unknown): asserts value is JsonValue {
  const invalid = validateValue(value, 0);
  if (invalid) throw new StrictJsonError(invalid.message, jsonPointer(invalid.path));
}

interface Invalid {
  message: string;
  path: (string | number)[];
}

function validateValue(value: unknown, depth: number): Invalid | null {
  switch (typeof value) {
    case 'string':
      return validateText(value);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? null
        : { message: 'a number is no integer, or lies outside ±(2^53−1)', path: [] };
    case 'boolean':
      return null;
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_JSON_DEPTH) return { message: TOO_DEEP, path: [] };
      return Array.isArray(value)
        ? validateItems(value, depth + 1)
        : validateMembers(value, depth + 1);
    default:
      return { message: 'a value has no JSON form', path: [] };
  }
}

function validateItems(items: unknown[], depth: number): Invalid | null {
  for (let i = 0; i < items.length; i++) {
    const invalid = validateValue(items[i], depth);
    if (invalid) return { ...invalid, path: [i, ...invalid.path] };
  }
  return null;
}

function validateMembers(object: object, depth: number): Invalid | null {
  for (const name of Object.keys(object)) {
    const invalidName = name === '__proto__' ? { message: PROTO, path: [] } : validateText(name);
    if (invalidName) return invalidName;
    const invalid = validateValue((object as Record<string, unknown>)[name], depth);
    if (invalid) return { ...invalid, path: [name, ...invalid.path] };
  }
  return null;
}

function validateText(text: string): Invalid | null {
  if (!text.isWellFormed()) return { message: LONE_SURROGATE, path: [] };
  return isTooLong(text) ? { message: tooLong('a string', text), path: [] } : null;
}

const TOO_DEEP = `the value nests deeper than ${MAX_JSON_DEPTH} levels`;
const PROTO = 'a member may not be named __proto__';
const LONE_SURROGATE = 'a string holds a lone surrogate';
const tooLong = (what: string, text: string): string =>
  `${what} has ${[...text].length} characters; a string has at most ${MAX_STRING_LENGTH}`;

const isTooLong = (text: string): boolean =>
  text.length > MAX_STRING_LENGTH && [...text].length > MAX_STRING_LENGTH;

const NUMBER_TAIL = /[0-9.eE+-]/;

class Parser {
  private readonly text: string;
  /** True for decoded bytes; a caller's string may have lone surrogates. */
  private readonly wellFormed: boolean;
  private at = 0;
  private readonly path: (string | number)[] = [];
  private canonical = true;
  private signature: CanonicalText['signature'] = null;

  constructor(text: string) {
    this.text = text;
    this.wellFormed = text.isWellFormed();
  }

  parse(): ParsedJson {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail('there is text after the end of the JSON value');
    const { text, signature } = this;
    return { value, canonical: this.canonical ? { text, signature } : null };
  }

  private value(): JsonValue {
    this.space();
    switch (this.text.charCodeAt(this.at)) {
      case 0x7b:
        return this.object();
      case 0x5b:
        return this.array();
      case 0x22:
        return this.string();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return this.integer();
    }
  }

  private object(): JsonObject {
    this.enter();
    const object: JsonObject = {};
    this.at++;
    this.space();
    if (this.take(0x7d)) return object;
    let previous: string | null = null;
    let sorted = true;
    for (;;) {
      this.space();
      const start = this.at;
      if (this.text.charCodeAt(this.at) !== 0x22)
        this.fail('a member name in double quotes was expected');
      const name = this.string();
      if (name === '__proto__') this.fail(PROTO);
      if (previous !== null && previous >= name) sorted = false;
      previous = name;
      // Ascending names are distinct.
      if (!sorted && Object.hasOwn(object, name)) {
        this.fail(`the member ${JSON.stringify(name)} stands twice`);
      }
      this.space();
      if (!this.take(0x3a)) this.fail('a colon was expected after the member name');
      this.path.push(name);
      object[name] = this.value();
      this.path.pop();
      if (name === 'signature' && this.path.length === 0) this.signature = { start, end: this.at };
      this.space();
      if (this.take(0x2c)) continue;
      if (!this.take(0x7d)) this.fail('a comma or a closing brace was expected');
      if (!sorted) this.canonical = false;
      return object;
    }
  }

  private array(): JsonValue[] {
    this.enter();
    const items: JsonValue[] = [];
    this.at++;
    this.space();
    if (this.take(0x5d)) return items;
    for (;;) {
      this.path.push(items.length);
      items.push(this.value());
      this.path.pop();
      this.space();
      if (this.take(0x2c)) continue;
      if (this.take(0x5d)) return items;
      this.fail('a comma or a closing bracket was expected');
    }
  }

  private string(): string {
    const { text: all } = this;
    const start = this.at;
    let at = start + 1;
    let escaped = false;
    for (;;) {
      const code = all.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        escaped = true;
        at += 2;
        continue;
      }
      if (!(code >= 0x20)) {
        this.at = at;
        if (Number.isNaN(code)) this.fail('the text ends inside a string');
        this.fail('a control character in a string must be escaped');
      }
      at++;
    }
    this.at = at + 1;
    if (!escaped) {
      const plain = all.slice(start + 1, at);
      if (!this.wellFormed && !plain.isWellFormed()) this.fail(LONE_SURROGATE);
      return this.short(plain);
    }
    const quoted = this.text.slice(start, this.at);
    // Check before unescaping: an escaped surrogate must not pair up with a lone one.
    if (!quoted.isWellFormed()) this.fail(LONE_SURROGATE);
    let text: string;
    try {
      text = JSON.parse(quoted) as string;
    } catch {
      this.fail('a string holds an invalid escape');
    }
    if (!text.isWellFormed()) this.fail(LONE_SURROGATE);
    if (this.canonical && JSON.stringify(text) !== this.text.slice(start, this.at)) {
      this.canonical = false;
    }
    return this.short(text);
  }

  private short(text: string): string {
    if (!isTooLong(text)) return text;
    const path = jsonPointer(this.path);
    throw new StrictJsonError(tooLong(path || 'the name of a member', text), path);
  }

  private integer(): number {
    const { text } = this;
    let end = this.at;
    if (text.charCodeAt(end) === 0x30) end++;
    else {
      const first = text.charCodeAt(end) === 0x2d ? end + 1 : end;
      if (isDigit(text.charCodeAt(first)) && text.charCodeAt(first) !== 0x30) {
        end = first + 1;
        while (isDigit(text.charCodeAt(end))) end++;
      }
    }
    const next = text[end] ?? '';
    if (end === this.at) {
      if (end >= text.length) this.fail('the text ends before an expected value');
      this.fail(
        next === '-'
          ? 'an integer without a leading zero was expected'
          : 'a JSON value was expected',
      );
    }
    if (NUMBER_TAIL.test(next)) {
      this.fail('numbers must be plain integers: no fraction, no exponent, no leading zero, no -0');
    }
    const value = Number(text.slice(this.at, end));
    if (!Number.isSafeInteger(value)) this.fail('an integer lies outside ±(2^53−1)');
    this.at = end;
    return value;
  }

  private word<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('a JSON value was expected');
    this.at += word.length;
    return value;
  }

  private enter(): void {
    if (this.path.length >= MAX_JSON_DEPTH) this.fail(TOO_DEEP);
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.canonical = false;
      this.at++;
    }
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  private fail(message: string): never {
    throw new StrictJsonError(`${message} (at character ${this.at})`, jsonPointer(this.path));
  }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export function jsonPointer(path: readonly (string | number)[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
