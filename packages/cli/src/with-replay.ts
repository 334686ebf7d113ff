/** For commands that execute the past of a data directory again. */
import { CommandError } from './command-error.ts';

type Replay = typeof import('@netd/node/verify');

/** @throws CommandError with the message of a failure */
export async function withReplay<Found>(work: (replay: Replay) => Promise<Found>): Promise<Found> {
  const replay = await import('@netd/node/verify');
  try {
    return await work(replay);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
