import { type JsonObject, type JsonValue, netText } from '@netd/protocol';
import { optionsOf, type Shape } from './marked.ts';

export type Selection = readonly (string | Readonly<Record<string, Part>>)[];
type Part = Selection | Form | Rows;

type Form = 'amount';

/** A list of unbounded length, of which only the first rows are copied. */
interface Rows {
  readonly row: Selection;
}

/**
 * Parses `name`, `name(members)` of an object or of each item, and `name[members]` of the first rows.
 * @throws Error if the schema lacks a name
 */
export function parseSelection(text: string, schema: object): Selection {
  const tokens = text.match(/\w+|[()[\]]/g) ?? [];
  const members = (shapes: Shape[]): Selection => {
    const selection: (string | Record<string, Part>)[] = [];
    for (let name = tokens.shift(); name !== undefined && /\w/.test(name); name = tokens.shift()) {
      const below = shapesOf(shapes, name);
      if (below.length === 0) throw new Error(`the document has no ${name} at this place: ${text}`);
      const isOpened = tokens[0] === '(' || tokens[0] === '[';
      if (isOpened) {
        const part = tokens.shift() === '(' ? members(below) : { row: members(below) };
        selection.push({ [name]: part });
      } else {
        selection.push(below.some(({ title }) => title === 'Unet') ? { [name]: 'amount' } : name);
      }
    }
    return selection;
  };
  return members(optionsOf(schema));
}

function shapesOf(shapes: Shape[], name: string): Shape[] {
  return shapes.flatMap(({ properties = {}, items, additionalProperties }): Shape[] => {
    if (items) return shapesOf(optionsOf(items), name);
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return member === undefined && additionalProperties === true ? [{}] : optionsOf(member);
  });
}

export type Omitted = Record<string, number>;

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

function isEmpty(value: JsonValue): boolean {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0
  );
}

/** Returns the parts in order. A null part is copied whole. */
export function partsOf(selection: Selection): [name: string, part: Part | null][] {
  return selection.flatMap((entry): [string, Part | null][] =>
    typeof entry === 'string' ? [[entry, null]] : Object.entries(entry),
  );
}

function isRows(part: Part): part is Rows {
  return typeof part === 'object' && 'row' in part;
}

export function hasRows(selection: Selection): boolean {
  return partsOf(selection).some(
    ([, part]) => part !== null && typeof part === 'object' && (isRows(part) || hasRows(part)),
  );
}

const inNet = (unet: number): JsonObject => ({ net: netText(unet).replace(' NET', ''), unet });
