import { pause } from '../pause.ts';
import { codeOf } from './agent-error.ts';
import type { AgentState } from './home.ts';

const SHORTEST = 100;

/**
 * Renews the lease of a state until the agent stops, and ends the agent with HOME_FENCED once another process
 * holds it. Returns states without a lease as they are.
 */
export function keepLease(
  state: AgentState,
  { signal, abort }: { signal: AbortSignal; abort: (reason: unknown) => void },
  warn: (error: unknown) => void,
): AgentState {
  const { lease } = state;
  if (!lease) return state;
  const orEnd = async (write: Promise<void>): Promise<void> => {
    try {
      await write;
    } catch (error) {
      if (codeOf(error) === 'HOME_FENCED') abort(error);
      throw error;
    }
  };
  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(Math.max(SHORTEST, lease.milliseconds / 3), signal, { isIdle: true });
      if (signal.aborted) return;
      // While the store does not answer, nothing can be written, so nothing is sent either.
      await orEnd(lease.renew()).catch((error: unknown) => {
        if (!signal.aborted) warn(error);
      });
    }
  };
  void renew();
  // Each by its name: a copy of a class's instance would lack its methods.
  return {
    ...(state.path === undefined ? {} : { path: state.path }),
    get: (name) => state.get(name),
    put: (name, bytes) => orEnd(state.put(name, bytes)),
    delete: (name) => orEnd(state.delete(name)),
    names: () => state.names(),
    close: () => state.close(),
    lease,
  };
}
