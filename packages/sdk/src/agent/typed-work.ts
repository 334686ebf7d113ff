/** Derives an order's acceptance and input from types, and parses what comes back. */
import { FormatError, type WorkScope } from '@netd/formats';
import {
  canonicalize,
  parseStrictJson,
  sha256Hex,
  StrictJsonError,
  utf8Bytes,
  utf8Text,
} from '@netd/protocol';
import { AgentError } from './agent-error.ts';
import { refuseArgument } from './core-error.ts';
import { exactValue } from './exact-value.ts';
import type { HireOptions, TypedHireOptions } from './hire-options.ts';
import type { TypeSchema } from './type-schema.ts';

/** Name of the input in a scope. */
export const INPUT = 'input';
const JSON_TYPE = 'application/json';
const TARGET = { target: 'draft-2020-12' } as const;

/**
 * Returns the JSON Schema of a type.
 * @param name of the argument
 * @throws AgentError ARGUMENT_INVALID if it is no such type; FormatError SCOPE_UNJUDGEABLE if its library cannot
 *   express it
 */
export function jsonSchemaOf(
  type: TypeSchema,
  side: 'input' | 'output',
  name: string,
): Record<string, unknown> {
  const converter = (type as Partial<TypeSchema> | null)?.['~standard']?.jsonSchema;
  if (typeof converter?.[side] !== 'function') {
    const how =
      'zod 4.2, arktype 2.1.28 or newer, or toStandardJsonSchema of @valibot/to-json-schema';
    refuseArgument(name, `${name} is no type with a JSON Schema: give one of ${how}`);
  }
  try {
    return exactValue(converter[side](TARGET)) as Record<string, unknown>;
  } catch (error) {
    throw new FormatError('SCOPE_UNJUDGEABLE', `/${name}`, (error as Error).message);
  }
}

/** @throws as `jsonSchemaOf` */
export function requireTypes({ job, returns }: { job?: unknown; returns?: unknown }): void {
  if (job !== undefined) jsonSchemaOf(job as TypeSchema, 'input', 'job');
  if (returns !== undefined) jsonSchemaOf(returns as TypeSchema, 'output', 'returns');
}

/** Returns the options without types, and the bytes of the input; null without one. */
export function untyped(options: HireOptions | TypedHireOptions<unknown>): {
  options: HireOptions;
  input: Uint8Array | null;
} {
  const { returns, input: value, ...plain } = options as TypedHireOptions<unknown>;
  const typed = { ...plain } as HireOptions;
  if (returns !== undefined) {
    const schema = jsonSchemaOf(returns, 'output', 'returns');
    typed.acceptance = [{ kind: 'json-schema', schema }, ...(plain.acceptance ?? [])];
    typed.deliverable ??= { mediaType: JSON_TYPE, maxBytes: 65_536 };
  }
  if (value === undefined) return { options: typed, input: null };
  const input = utf8Bytes(canonicalize(exactValue(value)));
  const { length: byteLength } = input;
  const asked = { name: INPUT, hash: sha256Hex(input), mediaType: JSON_TYPE, byteLength };
  typed.inputs = [asked, ...(plain.inputs ?? [])];
  return { options: typed, input };
}

/**
 * Parses JSON as a type.
 * @throws AgentError with this code and the path of the first fault
 */
export async function parsedAs<Value>(
  type: TypeSchema<unknown, Value>,
  bytes: Uint8Array,
  code: 'INPUT_INVALID' | 'RESULT_UNPARSED',
): Promise<Value> {
  let value: unknown;
  try {
    value = parseStrictJson(utf8Text(bytes));
  } catch (error) {
    if (!(error instanceof StrictJsonError) && !(error instanceof TypeError)) throw error;
    throw new AgentError(code, error.message);
  }
  return checkedAs(type, value, code);
}

/**
 * Parses an input as its worker will.
 * @throws AgentError INPUT_INVALID, VALUE_NOT_JSON
 */
export async function requireInput(type: TypeSchema, value: unknown): Promise<void> {
  await parsedAs(type, utf8Bytes(canonicalize(exactValue(value))), 'INPUT_INVALID');
}

/** @throws as `parsedAs` */
export async function checkedAs<Value>(
  type: TypeSchema<unknown, Value>,
  value: unknown,
  code: 'INPUT_INVALID' | 'RESULT_UNPARSED' | 'RESULT_UNMET',
): Promise<Value> {
  const parsed = await type['~standard'].validate(value);
  if (parsed.issues === undefined) return parsed.value;
  const faults = parsed.issues.map(({ path = [], message }) => ({
    path: path.map((step) => `/${String(typeof step === 'object' ? step.key : step)}`).join(''),
    message,
  }));
  const detail = faults.map(({ path, message }) => `${path || 'the whole'}: ${message}`).join('; ');
  throw new AgentError(code, detail, { data: { path: faults[0]?.path ?? '' } });
}

/** True if the scope has an input for a typed handler. */
export const hasInput = ({ inputs }: WorkScope): boolean =>
  inputs.some(({ name }) => name === INPUT);
