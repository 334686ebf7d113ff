/**
 * @param option the command line option for the port
 * @returns null if the address is not the problem
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
