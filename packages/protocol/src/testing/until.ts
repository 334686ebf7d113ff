const PAUSE_MILLISECONDS = 20;

/**
 * Asks until there is an answer: neither null nor false. For what is bound to come: the time limit of the test bounds how
 * long, so that nothing is asserted about a machine's pace.
 */
export async function until<Answer>(
  ask: () => Promise<Answer | null | false> | Answer | null | false,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    // A member that has been renamed would end the wait at once, and the test would fail by chance much later.
    if (answer === undefined)
      throw new TypeError('until() was told undefined: what it asks for is not there');
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}
