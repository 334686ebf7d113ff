/** Compares documents with the state records that they show. */
import assert from 'node:assert/strict';
import { canonicalize, type JsonObject, type JsonValue } from '@netd/protocol';

/** Rejects a document that contradicts the record in a shared member, at any depth. */
export function expectSame(shown: JsonObject, record: JsonObject, where: string): void {
  for (const name of Object.keys(shown).filter((each) => each in record)) {
    const [is, should] = [shown[name], record[name]] as [JsonValue, JsonValue];
    if (isPlain(is) && isPlain(should) && !isDeadline(should))
      expectSame(is, should, `${where}/${name}`);
    else assert.equal(canonicalize(is), canonicalize(shownAs(should)), `${where}/${name}`);
  }
}

/** Converts times: milliseconds in the state, ISO 8601 in documents. */
function shownAs(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shownAs);
  if (!isPlain(value)) return value;
  if (isDeadline(value)) {
    // A height without a time (while a committee is drawn) is no deadline.
    if (value['time'] === 0) return null;
    return { height: value['height'] ?? 0, time: new Date(Number(value['time'])).toISOString() };
  }
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, shownAs(held)]));
}

export const isPlain = (value: JsonValue): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isDeadline = (value: JsonObject): boolean =>
  typeof value['height'] === 'number' && typeof value['time'] === 'number';
