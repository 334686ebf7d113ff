/**
 * Normalizes words of beacons and orders for comparison. Only ASCII letters change, because other case
 * mappings vary with the version of Unicode.
 */
export function normalizeTag(text: string): string {
  if (!/[A-Z \t-\r_]/.test(text)) return text;
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/^[ \t-\r_]+|[ \t-\r_]+$/g, '')
    .replaceAll(/[ \t-\r_]+/g, '-');
}

export function normalizeTags(texts: readonly string[]): string[] {
  return [...new Set(texts.map(normalizeTag))];
}
