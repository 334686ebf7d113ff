/**
 * Characters that names, titles and descriptions must not contain, because readers cannot see them. The table
 * is fixed, because the ledger uses it: properties of Unicode would depend on the version of the runtime.
 */

/** First and last code points. Joiners, tags and line breaks have rules below; variation selectors pass. */
const HIDDEN: readonly (readonly [number, number])[] = [
  // Control characters
  [0x00, 0x1f],
  [0x7f, 0x9f],
  // Soft hyphen, combining grapheme joiner, Arabic letter mark
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  // Fillers of Hangul, inherent vowels of Khmer, Mongolian vowel separator
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  // Zero-width space, direction marks, separators of lines and paragraphs, bidi controls
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  // The empty braille cell, Hangul filler
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  // Lone surrogates
  [0xd800, 0xdfff],
  // Zero-width no-break space, halfwidth Hangul filler, interlinear annotations
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  // Shorthand and musical controls
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  // Plane 14 without tags and variation selectors
  [0xe0080, 0xe00ff],
  [0xe01f0, 0xe0fff],
];

const isHidden = (point: number): boolean =>
  HIDDEN.some(([first, last]) => first <= point && point <= last);

const isJoiner = (point: number): boolean => point === 0x200c || point === 0x200d;
const isTag = (point: number): boolean => point >= 0xe0000 && point <= 0xe007f;
const BLACK_FLAG = 0x1f3f4;

/**
 * Joiners shape letters in several scripts and join emoji. Latin letters, digits and spaces never need them.
 */
const mayJoin = (point: number | undefined): boolean =>
  point !== undefined && point > 0xbf && !isHidden(point) && !isJoiner(point) && !isTag(point);

/**
 * Says what is wrong, or returns null.
 * @param lines true if line breaks are allowed
 */
export function hiddenIn(text: string, lines: boolean): string | null {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const found = points.findIndex((point, at) => {
    const [before, after] = [points[at - 1], points[at + 1]];
    if (isJoiner(point)) return !mayJoin(before) || !mayJoin(after);
    // Tags are invisible letters. Three flags are written with them: 🏴󠁧󠁢󠁥󠁮󠁧󠁿.
    if (isTag(point)) return before === undefined || (before !== BLACK_FLAG && !isTag(before));
    if (lines && (point === 0x0a || (point === 0x0d && after === 0x0a))) return false;
    if (lines && (point === 0x2028 || point === 0x2029)) return false;
    return isHidden(point);
  });
  const point = points[found];
  if (point === undefined) return null;
  return `must not hold U+${point.toString(16).toUpperCase().padStart(4, '0')}, a character that readers cannot see`;
}

export const isNetSymbol = (symbol: string): boolean => /^u?net$/i.test(symbol);
