/** Rates new passphrases, because anyone who gets a key file can guess without end. */
const SHORTEST = 10;
/** A scale of 0 to 4. From 3 on, a sealed file costs an attacker more than it may hold. */
const LEAST_SCORE = 3;

/**
 * Loads the dictionaries, 240 kB compressed, at the first call.
 * @param known words that an attacker would try first
 * @returns a sentence for the person; empty if the passphrase will do
 */
export async function weaknessOf(passphrase: string, known: readonly string[]): Promise<string> {
  if (passphrase.length < SHORTEST) {
    return `Use at least ${SHORTEST} characters. Several words are easy to remember and hard to guess.`;
  }
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const rater = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return rater.check(passphrase, [...known]).score >= LEAST_SCORE
    ? ''
    : 'This passphrase is easy to guess. Use four or more words that do not belong together.';
}
