const PAUSE_MILLISECONDS = 20;
/** Long enough for any busy machine, so that no pace is asserted. */
const PATIENCE_MILLISECONDS = 600_000;

/**
 * Polls until the answer is neither null nor false.
 * @param patience milliseconds of pauses, at most; a test with a shorter timeout needs less, because the loop would outlive it
 * @throws Error without an answer in that time
 */
export async function until<Answer>(
  ask: () => Promise<Answer | null | false> | Answer | null | false,
  patience = PATIENCE_MILLISECONDS,
): Promise<Answer> {
  for (let waited = 0; waited < patience; waited += PAUSE_MILLISECONDS) {
    const answer = await ask();
    // Otherwise a renamed member would end the wait too early.
    if (answer === undefined)
      throw new TypeError('until() was told undefined: what it asks for is not there');
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  throw new Error(`until() waited for ${patience / 1_000} s: ${ask.toString()}`);
}
