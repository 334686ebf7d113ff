/** Why a node cannot be served, in sentences for its operator. */
import type { ListenAddress } from './metrics-listener.ts';

export class ServeError extends Error {
  override name = 'ServeError';
}

/** As a sentence for the operator, where it is the address that cannot be had. */
export function listenError(
  error: unknown,
  { host, port }: ListenAddress,
  option: string,
): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new ServeError(`port ${port} on ${host} is in use; choose another with ${option}`);
  }
  if (code === 'EACCES') return new ServeError(`port ${port} needs more rights; choose another`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ServeError(`${host} is not an address of this machine`);
  }
  return error;
}
