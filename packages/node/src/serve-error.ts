/** A node cannot be served. The message is for its operator. */
import { listenFailure } from '@netd/client-limits';
import type { ListenAddress } from './metrics-listener.ts';

export class ServeError extends Error {
  override name = 'ServeError';
}

/** Converts an error about the listen address into a sentence for the operator; returns others unchanged. */
export function listenError(error: unknown, address: ListenAddress, option: string): unknown {
  const sentence = listenFailure(error, address, option);
  return sentence === null ? error : new ServeError(sentence, { cause: error });
}
