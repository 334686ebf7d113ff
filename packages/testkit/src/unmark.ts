/** Answers for models without their marks, and what of them stands outside of any mark. */
import type { JsonObject, JsonValue } from '@netd/protocol';

const isObject = (value: JsonValue): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isMark = (value: JsonValue): value is { untrusted: true; content: JsonObject } =>
  isObject(value) && value['untrusted'] === true;

/** The data itself, as structured content has it; its members may be in another order. */
export function unmark(value: JsonValue): JsonValue {
  if (isMark(value)) return value.content;
  if (Array.isArray(value)) return value.map(unmark);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, JsonValue][] =>
      name === 'says' && isMark(member) ? Object.entries(member.content) : [[name, unmark(member)]],
    ),
  );
}

/** The JSON of an answer without what is marked. */
export function outsideMarks(text: string): string {
  return JSON.stringify(JSON.parse(text), (_name, member: JsonValue) =>
    isMark(member) ? null : member,
  );
}
