/** Why a listener of a node or a store cannot be opened, in a sentence for the operator. */

/**
 * @param error of `listen`
 * @param option of the command line that chooses another port
 * @returns null where it is not the address that cannot be had
 */
export function listenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
  option: string,
): string | null {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another with ${option}`;
    case 'EACCES':
      return `port ${port} needs more rights; choose one above 1023 with ${option}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; name one of its own, or 0.0.0.0 for all of them`;
    default:
      return null;
  }
}
