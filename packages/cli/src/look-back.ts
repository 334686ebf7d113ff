/** What commands do that execute the past of a data directory again. */
import { CommandError } from './command-error.ts';

type Looking = typeof import('@netd/node/verify');

/** @throws CommandError where the chain has not what is asked for, or cannot be executed */
export async function lookBack<Found>(look: (looking: Looking) => Promise<Found>): Promise<Found> {
  const looking = await import('@netd/node/verify');
  try {
    return await look(looking);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}
