/** Values of JSON, as JSON Schema tells them apart and compares them. */

/** True for objects that are not arrays. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a finite number. */
export function isJsonNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** True for a value of one of the seven types that the keyword `type` names. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'number':
      return isJsonNumber(value);
    case 'integer':
      return isJsonNumber(value) && value % 1 === 0;
    default:
      return typeof value === type;
  }
}

/** Counts characters as people do: a pair of surrogates is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xff_ff) {
      count -= 1;
      i += 1;
    }
  }
  return count;
}

/** Compares two values in time proportional to the smaller one. */
export function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, i) => areEqual(one, b[i]))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const wanted = Object.keys(b);
  return (
    Object.keys(a).length === wanted.length &&
    wanted.every((name) => Object.hasOwn(a, name) && areEqual(a[name], b[name]))
  );
}
