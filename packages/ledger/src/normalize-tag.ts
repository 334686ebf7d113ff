/**
 * Returns the form in which words of beacons and orders are compared: lower case, trimmed, white space and
 * underscores as one hyphen. Only ASCII letters change, because other case mappings vary with the version of
 * Unicode.
 */
export function normalizeTag(text: string): string {
  // Fast path: most words are already normalized.
  if (!/[A-Z \t-\r_]/.test(text)) return text;
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/^[ \t-\r_]+|[ \t-\r_]+$/g, '')
    .replaceAll(/[ \t-\r_]+/g, '-');
}

/** Returns the distinct normal forms, in order of first appearance. */
export function normalizeTags(texts: readonly string[]): string[] {
  return [...new Set(texts.map(normalizeTag))];
}
