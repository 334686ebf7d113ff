/**
 * Escapes control, format, bidi and other invisible characters as JSON does, so that they cannot steer a
 * terminal or hide. Keeps line feeds. JSON stays equivalent.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(/[^\P{C}\n]|\p{DI}|[\u2028\u2029\u2800]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Removes the mark that some Windows editors write, and that JSON does not allow. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');
