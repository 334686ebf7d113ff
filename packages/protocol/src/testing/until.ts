const PAUSE_MILLISECONDS = 20;
/** Ten minutes: a bound for what never comes, however busy the machine is. */
const TRIES = 30_000;

/**
 * Polls until the answer is neither null nor false. The bound is so high that no pace is asserted.
 * @throws Error after ten minutes without an answer
 */
export async function until<Answer>(
  ask: () => Promise<Answer | null | false> | Answer | null | false,
): Promise<Answer> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await ask();
    // Otherwise a renamed member would end the wait too early.
    if (answer === undefined)
      throw new TypeError('until() was told undefined: what it asks for is not there');
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  throw new Error(`until() waited for ten minutes: ${ask.toString()}`);
}
