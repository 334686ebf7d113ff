/** Asks until it is so; a test that waits in vain ends by its own time limit. */
export async function until<Answer>(ask: () => Promise<Answer | null | false>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
