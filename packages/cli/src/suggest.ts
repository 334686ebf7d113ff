/** "Did you mean …?": the words nearest to one that was mistyped. */
import { distance } from 'fastest-levenshtein';

const MOST_SUGGESTIONS = 3;

/** The nearest of the words, nearest first: a third of the letters differs, or two of a short word, or it begins so. */
function nearest(word: string, words: Iterable<string>): string[] {
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

/** The end of a sentence about a mistyped word; empty where nothing is near. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const near = nearest(word, words);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}
