/**
 * The form in which words of beacons and orders are compared: ASCII letters small, no white space around, runs of
 * white space and underscores one hyphen. Only ASCII, because what is a small letter elsewhere changes with Unicode.
 */
export function normalizeTag(text: string): string {
  // Most words come in their normal form.
  if (!/[A-Z \t-\r_]/.test(text)) return text;
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/^[ \t-\r_]+|[ \t-\r_]+$/g, '')
    .replaceAll(/[ \t-\r_]+/g, '-');
}

/** The normal forms of several words, each once, in the order of their first appearance. */
export function normalizeTags(texts: readonly string[]): string[] {
  return [...new Set(texts.map(normalizeTag))];
}
