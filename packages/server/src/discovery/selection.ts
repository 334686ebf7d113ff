/**
 * What of a document goes into an answer for a model: a selection names members, in the order in which they appear. The
 * answer holds nothing that the document does not say; only how amounts are written differs.
 */
import { type JsonObject, type JsonValue, netText } from '@netd/protocol';

/** Names of members that are taken as they are, and members of which a part or another form is taken. */
export type Selection = readonly (string | Readonly<Record<string, Part>>)[];
type Part = Selection | Form | Rows;

/** How a value is written: an integer of unet also in NET. */
type Form = 'amount';

/** An array whose length the state decides: only the first rows of it are taken. */
interface Rows {
  readonly row: Selection;
}
export const rows = (...row: Selection): Rows => ({ row });

/** What was left out of arrays, by their path: `{"timeline.events": 12}`. */
export type Omitted = Record<string, number>;

/** @param limit of the arrays that are cut */
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

/** An object of which nothing was selected, since what the selection names is optional there. */
function isEmpty(value: JsonValue): boolean {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0
  );
}

/** The members of a selection in order; null where one is taken as it is. */
export function partsOf(selection: Selection): [name: string, part: Part | null][] {
  return selection.flatMap((entry): [string, Part | null][] =>
    typeof entry === 'string' ? [[entry, null]] : Object.entries(entry),
  );
}

export function isRows(part: Part): part is Rows {
  return typeof part === 'object' && 'row' in part;
}

/** Whether some array of the selection grows with the state. */
export function hasRows(selection: Selection): boolean {
  return partsOf(selection).some(
    ([, part]) => part !== null && typeof part === 'object' && (isRows(part) || hasRows(part)),
  );
}

/** `{"net":"0.001001","unet":1001}`: exact, without floating point. */
const inNet = (unet: number): JsonObject => ({ net: netText(unet).replace(' NET', ''), unet });
