/**
 * The JSON that an envelope may be written in: I-JSON (RFC 7493) and stricter where languages disagree.
 * Duplicate members, lone surrogates, `1.0`, `1e3`, `-0`, integers beyond ±(2^53−1) and a member named `__proto__`
 * are refused, so that every implementation that reads the bytes sees the same value. So are strings beyond
 * 2,048 characters and nesting beyond 32 levels.
 */
import type { JsonObject, JsonValue } from './canonical-json.ts';
import { MAX_JSON_DEPTH, MAX_STRING_LENGTH } from './limits.ts';

export class StrictJsonError extends Error {
  override name = 'StrictJsonError';
  readonly path: string;

  /** @param path JSON Pointer (RFC 6901) of the value that is at fault */
  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses UTF-8 bytes (or a string) into a JSON value.
 * @throws StrictJsonError with the place and the reason
 */
export function parseStrictJson(input: Uint8Array | string): JsonValue {
  if (typeof input === 'string') return new Parser(input).parse();
  let text: string;
  try {
    text = utf8.decode(input);
  } catch {
    throw new StrictJsonError('the body is not valid UTF-8', '');
  }
  return new Parser(text).parse();
}

const INTEGER = /0|-?[1-9][0-9]*/y;
const NUMBER_TAIL = /[0-9.eE+-]/;

class Parser {
  private readonly text: string;
  private at = 0;
  private readonly path: (string | number)[] = [];

  constructor(text: string) {
    this.text = text;
  }

  parse(): JsonValue {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail('there is text after the end of the JSON value');
    return value;
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
    for (;;) {
      this.space();
      if (this.text.charCodeAt(this.at) !== 0x22)
        this.fail('a member name in double quotes was expected');
      const name = this.string();
      if (name === '__proto__') this.fail('a member may not be named __proto__');
      if (Object.hasOwn(object, name)) this.fail(`the member ${JSON.stringify(name)} stands twice`);
      this.space();
      if (!this.take(0x3a)) this.fail('a colon was expected after the member name');
      this.path.push(name);
      object[name] = this.value();
      this.path.pop();
      this.space();
      if (this.take(0x2c)) continue;
      if (this.take(0x7d)) return object;
      this.fail('a comma or a closing brace was expected');
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
    const start = this.at++;
    let escaped = false;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        escaped = true;
        this.at += 2;
        continue;
      }
      if (Number.isNaN(code)) this.fail('the text ends inside a string');
      if (code < 0x20) this.fail('a control character in a string must be escaped');
      this.at++;
    }
    this.at++;
    if (!escaped) {
      const plain = this.text.slice(start + 1, this.at - 1);
      // Bytes cannot decode to a lone surrogate, but a caller's string can hold one.
      if (!plain.isWellFormed()) this.fail('a string holds a lone surrogate');
      return this.short(plain);
    }
    let text: string;
    try {
      text = JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      this.fail('a string holds an invalid escape');
    }
    if (!text.isWellFormed()) this.fail('a string holds a lone surrogate');
    return this.short(text);
  }

  private short(text: string): string {
    // Code points are only worth counting where code units exceed the limit.
    if (text.length > MAX_STRING_LENGTH && [...text].length > MAX_STRING_LENGTH) {
      this.fail(`a string is longer than ${MAX_STRING_LENGTH} characters`);
    }
    return text;
  }

  private integer(): number {
    INTEGER.lastIndex = this.at;
    const token = INTEGER.exec(this.text)?.[0];
    const next = this.text[this.at + (token?.length ?? 0)] ?? '';
    if (token === undefined) {
      if (this.at >= this.text.length) this.fail('the text ends where a value was expected');
      this.fail(
        next === '-'
          ? 'an integer without a leading zero was expected'
          : 'a JSON value was expected',
      );
    }
    if (NUMBER_TAIL.test(next)) {
      this.fail('numbers must be plain integers: no fraction, no exponent, no leading zero, no -0');
    }
    const value = Number(token);
    if (!Number.isSafeInteger(value)) this.fail('an integer lies outside ±(2^53−1)');
    this.at += token.length;
    return value;
  }

  private word<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('a JSON value was expected');
    this.at += word.length;
    return value;
  }

  private enter(): void {
    if (this.path.length >= MAX_JSON_DEPTH) {
      this.fail(`the value nests deeper than ${MAX_JSON_DEPTH} levels`);
    }
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
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

/** RFC 6901. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
