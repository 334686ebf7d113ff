/** What commands do that execute the past of a data directory again. */
import { CommandError } from './command-error.ts';

type Replay = typeof import('@netd/node/verify');

/** @throws CommandError where the chain has not what is asked for, or cannot be executed */
export async function withReplay<Found>(work: (replay: Replay) => Promise<Found>): Promise<Found> {
  const replay = await import('@netd/node/verify');
  try {
    return await work(replay);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
