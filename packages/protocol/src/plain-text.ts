/** Characters that names, titles and descriptions must not contain, because readers cannot see them. */

/** Control characters, except line breaks. */
const CONTROL = /(?!\r\n|\n)\p{Cc}/u;
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/**
 * Everything that Unicode says to draw as nothing, except joiners and tags, which have rules below, and selectors of variants. The
 * empty braille cell, marks of annotations and lone surrogates show nothing either.
 */
const INVISIBLE =
  /(?!\p{Variation_Selector}|\p{Join_Control}|[\u{E0000}-\u{E007F}])\p{Default_Ignorable_Code_Point}|[\u2800\uFFF9-\uFFFB]|\p{Cs}/u;
/** Joiners shape letters in several scripts and join emoji. Anywhere else they only hide. */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/u;
/** Tags are invisible letters. Three flags are written with them: 🏴󠁧󠁢󠁥󠁮󠁧󠁿. */
const STRAY_TAG = /(?<![\u{1F3F4}\u{E0020}-\u{E007E}])[\u{E0000}-\u{E007F}]/u;
const LINE_BREAK = /[\r\n\u2028\u2029\u0085]/u;

/**
 * @param lines true if line breaks are allowed
 * @returns what is wrong in words, or null
 */
export function hiddenIn(text: string, lines: boolean): string | null {
  const character = [
    CONTROL,
    BIDI,
    INVISIBLE,
    STRAY_JOINER,
    STRAY_TAG,
    ...(lines ? [] : [LINE_BREAK]),
  ]
    .map((pattern) => pattern.exec(text)?.[0].codePointAt(0))
    .find((found) => found !== undefined);
  if (character === undefined) return null;
  return `must not hold U+${character.toString(16).toUpperCase().padStart(4, '0')}, a character that readers cannot see`;
}

/** Matches NET and unet in any case. */
export const isNetSymbol = (symbol: string): boolean => /^u?net$/i.test(symbol);
