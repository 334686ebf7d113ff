/** How a document becomes the bytes of a blob, and is read from bytes of any origin. */
import {
  canonicalize,
  compileSchema,
  exactJson,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENT_DEPTH,
  MAX_DOCUMENT_VALUES,
  NotJsonError,
  sha256Hex,
  utf8Bytes,
  utf8Text,
} from '@netd/protocol';
import type { Static, TSchema } from '@netd/protocol/type';
import { FormatError } from './errors.ts';

/** The bytes of a blob, and their name. */
export interface Blob {
  hash: string;
  bytes: Uint8Array;
}

export interface Format<Schema extends TSchema> {
  /** The schema, which validates, types and describes the document. */
  schema: Schema;
  /** @throws FormatError where the document breaks its schema or is too large */
  make: (document: Static<Schema>) => Blob;
  /**
   * @param hash what the chain says the bytes are, where the reader has it from there
   * @throws FormatError with the first rule that the bytes break
   */
  read: (bytes: Uint8Array, hash?: string) => Static<Schema>;
}

interface FormatOptions<Schema extends TSchema> {
  maxBytes?: number;
  /** Runs before the schema, for faults that deserve a better report. @throws FormatError */
  before?: (value: unknown) => void;
  /** Checks what a schema cannot say. @throws FormatError */
  check?: (document: Static<Schema>) => void;
}

export function defineFormat<Schema extends TSchema>(
  schema: Schema,
  { maxBytes = MAX_DOCUMENT_BYTES, before, check }: FormatOptions<Schema> = {},
): Format<Schema> {
  const violations = compileSchema(schema);
  const checked = (value: unknown): Static<Schema> => {
    before?.(value);
    const [first] = violations(value) ?? [];
    if (first) throw new FormatError('DOCUMENT_INVALID', first.path, first.message);
    const document = value as Static<Schema>;
    check?.(document);
    return document;
  };
  return {
    schema,
    make: (document) => {
      const bytes = utf8Bytes(canonicalize(checked(plain(document))));
      requireSize(bytes, maxBytes);
      return { hash: sha256Hex(bytes), bytes };
    },
    read: (bytes, hash) => {
      requireSize(bytes, maxBytes);
      if (hash !== undefined) requireHash(bytes, hash);
      return checked(parseCanonical(bytes));
    },
  };
}

/** @throws FormatError if JSON cannot carry a part exactly */
function plain(document: unknown): unknown {
  try {
    return exactJson(document);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new FormatError('DOCUMENT_INVALID', error.path, `it is ${error.detail}`);
  }
}

/** @throws FormatError where the bytes are not those that the hash names */
export function requireHash(bytes: Uint8Array, hash: string): void {
  if (sha256Hex(bytes) !== hash) throw new FormatError('DOCUMENT_HASH_MISMATCH');
}

export function requireSize(bytes: Uint8Array, most: number): void {
  if (bytes.length > most) {
    throw new FormatError('DOCUMENT_TOO_LARGE', '', `${bytes.length} bytes, at most ${most}`);
  }
}

/**
 * The value of JSON text, without asking for its canonical form.
 * @throws FormatError where it is not JSON in UTF-8, or nests too deep
 */
export function parseJson(bytes: Uint8Array): unknown {
  return parse(textOf(bytes));
}

/**
 * The value of canonical JSON. That it comes out again as the same text also excludes what readers disagree about:
 * members twice, numbers that only some can hold.
 */
function parseCanonical(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  const value = parse(text, MAX_DOCUMENT_VALUES);
  let again: string | null = null;
  try {
    again = canonicalize(value);
  } catch {
    // a lone surrogate
  }
  if (again !== text) throw new FormatError('DOCUMENT_NOT_CANONICAL');
  return value;
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8Text(bytes);
  } catch {
    throw new FormatError('DOCUMENT_NOT_JSON');
  }
}

function parse(text: string, maxValues = Infinity): unknown {
  // Before it is parsed: what walks the value later does so by recursion, and takes its time for each part.
  const { depth, values } = shapeOf(text);
  if (values > maxValues) {
    throw new FormatError('DOCUMENT_TOO_LARGE', '', `${values} values, at most ${maxValues}`);
  }
  try {
    if (depth <= MAX_DOCUMENT_DEPTH) return JSON.parse(text);
  } catch {
    // refused below, whatever was wrong
  }
  throw new FormatError('DOCUMENT_NOT_JSON');
}

/** How deep arrays and objects nest in a text, and how many values there are at most, were it JSON. */
function shapeOf(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === ',') values++;
    else if (char === '[' || char === '{') {
      deepest = Math.max(deepest, ++depth);
      values++;
    } else if (char === ']' || char === '}') depth--;
  }
  return { depth: deepest, values };
}
