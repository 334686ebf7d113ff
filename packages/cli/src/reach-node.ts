import { CHAIN_ID_PATTERN } from '@netd/protocol';
import { NetError, type NetClient, type NetworkStatus } from '@netd/sdk';
import { CommandError, isConnectionError, UnreachableError } from './command-error.ts';
import { START_LINE } from './installed.ts';
import { printable } from './printable.ts';

const CHAIN_ID = new RegExp(CHAIN_ID_PATTERN);

/**
 * Returns the network of a node.
 * @param from origin of the address, for the error
 * @throws UnreachableError without an answer, CommandError if it is not a node, NetError if the node refuses
 */
export async function reachNode(client: NetClient, from = ''): Promise<NetworkStatus> {
  let found = '';
  try {
    const network = await client.network();
    const { chainId } = network as { chainId?: unknown };
    if (typeof chainId === 'string' && CHAIN_ID.test(chainId)) return network;
  } catch (error) {
    if (error instanceof NetError && error.problem !== null) throw error;
    if (error instanceof Error && isConnectionError(error)) {
      throw new UnreachableError(
        `no node answers at ${client.url}${from}${reasonOf(error)}; start one with ${START_LINE}, or name it with --url`,
      );
    }
    if (!(error instanceof NetError)) throw error;
    found = `: ${printable(error.message)}`;
  }
  throw new CommandError(`what answers at ${client.url}${from} is no node${found}`, 'NOT_A_NODE');
}

/** Returns a reason such as an untrusted certificate; '' for a closed port. */
function reasonOf(error: Error): string {
  let root: Error & { code?: unknown } = error;
  while (root.cause !== undefined) root = root.cause as Error;
  const isRefused = root === error || root.code === 'ECONNREFUSED';
  return isRefused ? '' : ` (${printable((root.message ?? '').trim())})`;
}
