import { listenFailure } from '@netd/client-limits';
import type { ListenAddress } from './metrics-listener.ts';

export class ServeError extends Error {
  override name = 'ServeError';
}

export function listenError(error: unknown, address: ListenAddress, option: string): unknown {
  const sentence = listenFailure(error, address, option);
  return sentence === null ? error : new ServeError(sentence, { cause: error });
}
