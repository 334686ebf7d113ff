/** Ends a wait that hangs, on any machine: under a load of fifty, a devnet's blobs took more than 150 s. */
const TRIES = 6_000;
const PAUSE_MILLISECONDS = 100;

/**
 * Polls until the answer is not null, for example for an effect of another process.
 * @param what noun phrase for the error
 * @param told returns details for the error, such as a process's output
 * @throws Error after about ten minutes of pauses
 */
export async function comes<Answer>(
  what: string,
  ask: () => Promise<Answer | null> | Answer | null,
  told: () => string = () => '',
): Promise<Answer> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  throw new Error(`${what} did not come\n${told()}`);
}
