/** Text of strangers where a person reads it: in a terminal, or in a question that is to be approved. */

/**
 * The text with control, format, bidi and other characters without a shape of their own as escapes of JSON: none of them can steer a terminal, hide, or turn what
 * stands around it. Line feeds stay. What was JSON is the same to a parser.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(/[^\P{C}\n]|\p{DI}|[\u2028\u2029\u2800]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Returns the text of a file without the mark that some editors on Windows write before it, and that JSON does not allow. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');
