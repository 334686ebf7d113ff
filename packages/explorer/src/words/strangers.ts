/**
 * Shows invisible and direction-changing characters by number, so that strangers' texts cannot change how
 * their surroundings read.
 */

/** Control, format, private and unassigned characters, separators, and blank letters. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;
/** Legitimate joiners, in emoji (👩‍🔬) and in joined scripts. */
const JOINED =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}])[\u200C\u200D](?=\p{L})/gu;
/** Combining marks beyond the most that any language uses. They would cover neighboring lines. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

export function visible(text: string): string {
  const kept = new Set([...text.matchAll(JOINED)].map(({ index }) => index));
  return text
    .replaceAll(UNSEEN, (character, at: number) => (kept.has(at) ? character : numberOf(character)))
    .replaceAll(TOO_MANY_MARKS, '$1…');
}

export function visibleLine(text: string): string {
  return visible(text.trim().replaceAll(/[\t\n\r\v\f ]+/g, ' '));
}

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
