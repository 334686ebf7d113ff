/** Answers for models without their marks, and the text outside the marks. */
import type { JsonObject, JsonValue } from '@netd/protocol';

const isObject = (value: JsonValue): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isMark = (value: JsonValue): value is { untrusted: true; content: JsonObject } =>
  isObject(value) && value['untrusted'] === true;

/** Returns the data as in structured content; the order of members may differ. */
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

/** Returns the JSON without marked content. */
export function outsideMarks(text: string): string {
  return JSON.stringify(JSON.parse(text), (_name, member: JsonValue) =>
    isMark(member) ? null : member,
  );
}
