const PAUSE_MILLISECONDS = 20;

/**
 * Polls until the answer is neither null nor false. Only the test's time limit bounds it, so no pace is
 * asserted.
 */
export async function until<Answer>(
  ask: () => Promise<Answer | null | false> | Answer | null | false,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    // Otherwise a renamed member would end the wait too early.
    if (answer === undefined)
      throw new TypeError('until() was told undefined: what it asks for is not there');
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}
