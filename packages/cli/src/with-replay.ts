import { CommandError, explained } from './command-error.ts';

type Replay = typeof import('@netd/node/verify');

/** @throws CommandError if the chain lacks the block or transition, or cannot be read or executed */
export async function withReplay<Found>(work: (replay: Replay) => Promise<Found>): Promise<Found> {
  const replay = await import('@netd/node/verify');
  try {
    return await work(replay);
  } catch (thrown) {
    const error = explained(thrown);
    if (error instanceof CommandError) throw error;
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
