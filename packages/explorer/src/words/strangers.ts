/**
 * Text of strangers: names, titles, descriptions, memos, the documents behind hashes. What is in it must not change how what stands
 * around it reads, so that everything that is not seen, or turns the direction of writing, is shown by its number.
 */

/** Control, format, private and unassigned characters, line and paragraph separators, and blanks that are letters. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;
/** Two of them have an honest use: they join pictures (👩‍🔬), and letters in scripts that are written joined. */
const JOINED =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}])[\u200C\u200D](?=\p{L})/gu;
/** More marks on one letter than any language has climb over the lines beside it. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A stranger's text of any number of lines, in which characters that cannot be seen are shown. */
export function visible(text: string): string {
  const kept = new Set([...text.matchAll(JOINED)].map(({ index }) => index));
  return text
    .replaceAll(UNSEEN, (character, at: number) => (kept.has(at) ? character : numberOf(character)))
    .replaceAll(TOO_MANY_MARKS, '$1…');
}

/** The same for names and titles: on one line. */
export function visibleLine(text: string): string {
  return visible(text.trim().replaceAll(/[\t\n\r\v\f ]+/g, ' '));
}

/** JSON that is the same to a parser, and in which all that is not seen is escaped. */
export function visibleJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replaceAll(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

const numberOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
