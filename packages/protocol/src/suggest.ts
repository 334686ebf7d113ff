const MOST_SUGGESTIONS = 3;
/** Characters of a word. Strangers may send any length. */
const LONGEST = 64;

/**
 * Returns the nearest words first. A near word differs in at most a third of its letters, or two of a short
 * word, or starts the same.
 */
export function nearest(word: string, words: Iterable<string>): string[] {
  if (word.length > LONGEST) return [];
  const wanted = word.toLowerCase();
  const most = Math.min(wanted.length - 1, Math.max(2, Math.floor(wanted.length / 3)));
  return [...new Set(words)]
    .map((candidate) => {
      const lower = candidate.toLowerCase();
      const begins = wanted.length > 2 && lower.startsWith(wanted);
      return { candidate, far: begins ? 1 : distance(wanted, lower) };
    })
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

export function didYouMean(word: string, words: Iterable<string>): string {
  const near = nearest(word, words);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
