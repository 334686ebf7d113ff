/** Selects a document's members for a model, in order. */
import { type JsonObject, type JsonValue, netText } from '@netd/protocol';

/** Names to copy, and members to reduce or convert. */
export type Selection = readonly (string | Readonly<Record<string, Part>>)[];
type Part = Selection | Form | Rows;

/** Integer unet, also in NET. */
type Form = 'amount';

/** Unbounded length: only the first rows are copied. */
interface Rows {
  readonly row: Selection;
}
export const rows = (...row: Selection): Rows => ({ row });

/** Rows left out, by path: `{"timeline.events": 12}`. */
export type Omitted = Record<string, number>;

/** @param limit rows per array */
export function select(
  document: JsonObject,
  selection: Selection,
  limit: number,
): { selected: JsonObject; omitted: Omitted } {
  const omitted: Omitted = {};

  function partOf(value: JsonValue, part: Part, path: string): JsonValue {
    if (value === null) return null;
    if (part === 'amount') return inNet(value as number);
    if (isRows(part)) {
      const all = value as JsonValue[];
      if (all.length > limit) omitted[path] = all.length - limit;
      return all.slice(0, limit).map((row) => partOf(row, part.row, path));
    }
    if (Array.isArray(value)) return value.map((item) => partOf(item, part, path));
    return membersOf(value as JsonObject, part, path === '' ? '' : `${path}.`);
  }

  function membersOf(whole: JsonObject, names: Selection, prefix: string): JsonObject {
    const taken: JsonObject = {};
    for (const [name, part] of partsOf(names)) {
      const value = whole[name];
      if (value === undefined) continue;
      const selected = part === null ? value : partOf(value, part, `${prefix}${name}`);
      if (value === selected || !isEmpty(selected)) taken[name] = selected;
    }
    return taken;
  }

  return { selected: membersOf(document, selection, ''), omitted };
}

/** All its members are optional. */
function isEmpty(value: JsonValue): boolean {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0
  );
}

/** In order; null for one to copy. */
export function partsOf(selection: Selection): [name: string, part: Part | null][] {
  return selection.flatMap((entry): [string, Part | null][] =>
    typeof entry === 'string' ? [[entry, null]] : Object.entries(entry),
  );
}

export function isRows(part: Part): part is Rows {
  return typeof part === 'object' && 'row' in part;
}

/** It has an array of unbounded length. */
export function hasRows(selection: Selection): boolean {
  return partsOf(selection).some(
    ([, part]) => part !== null && typeof part === 'object' && (isRows(part) || hasRows(part)),
  );
}

/** `{"net":"0.001001","unet":1001}`: exact. */
const inNet = (unet: number): JsonObject => ({ net: netText(unet).replace(' NET', ''), unet });
