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

export interface Blob {
  hash: string;
  bytes: Uint8Array;
}

export interface Format<Schema extends TSchema> {
  schema: Schema;
  /** @throws FormatError if the document breaks its schema or is too large */
  make: (document: Static<Schema>) => Blob;
  /**
   * @param hash from the chain, if the reader has it
   * @throws FormatError for the first broken rule
   */
  read: (bytes: Uint8Array, hash?: string) => Static<Schema>;
}

interface FormatOptions<Schema extends TSchema> {
  maxBytes?: number;
  /** Checks that report some faults better than the schema. */
  before?: (value: unknown) => void;
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

function plain(document: unknown): unknown {
  try {
    return exactJson(document);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new FormatError('DOCUMENT_INVALID', error.path, `it is ${error.detail}`);
  }
}

/** @throws FormatError for another hash */
export function requireHash(bytes: Uint8Array, hash: string): void {
  if (sha256Hex(bytes) !== hash) throw new FormatError('DOCUMENT_HASH_MISMATCH');
}

export function requireSize(bytes: Uint8Array, most: number): void {
  if (bytes.length > most) {
    throw new FormatError('DOCUMENT_TOO_LARGE', '', `${bytes.length} bytes, at most ${most}`);
  }
}

/**
 * Parses canonical JSON. The round trip also excludes duplicate members and numbers that readers disagree
 * about.
 */
function parseCanonical(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  const value = parse(text);
  let again: string | null = null;
  try {
    again = canonicalize(value);
  } catch {
    // The text has lone surrogates, which the comparison below rejects.
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

function parse(text: string): unknown {
  // Later walks recurse and cost time per value.
  const { depth, values } = shapeOf(text);
  if (values > MAX_DOCUMENT_VALUES) {
    const detail = `${values} values, at most ${MAX_DOCUMENT_VALUES}`;
    throw new FormatError('DOCUMENT_TOO_LARGE', '', detail);
  }
  try {
    if (depth <= MAX_DOCUMENT_DEPTH) return JSON.parse(text);
  } catch {
    // Rejected below.
  }
  throw new FormatError('DOCUMENT_NOT_JSON');
}

/** Returns the depth, and an upper bound on the number of values. */
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
