export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

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

/** Takes time proportional to the smaller value. */
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
