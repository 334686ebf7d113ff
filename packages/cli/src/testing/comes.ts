/** A bound for what hangs, however busy the machine is: beside a load of fifty the blobs of a devnet took more than 150 s. */
const TRIES = 6_000;
const PAUSE_MILLISECONDS = 100;

/**
 * Asks until there is an answer that is not null, for what other processes are about to do.
 * @param what is waited for, for the error
 * @param told what there is to tell where it never comes, for example what a process has printed
 * @throws Error after more tries than anything takes that is not broken
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
