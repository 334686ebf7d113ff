import { NetError, type NetClient, type NetworkStatus } from '@netd/sdk';
import { isConnectionError, UnreachableError } from './command-error.ts';

/**
 * Which chain answers.
 * @param from where the address comes from, for the sentence
 * @throws UnreachableError where nobody does; NetError where it is no node, or one in trouble
 */
export async function reachNode(client: NetClient, from = ''): Promise<NetworkStatus> {
  try {
    return await client.network();
  } catch (error) {
    if (error instanceof NetError || !isConnectionError(error)) throw error;
    throw new UnreachableError(
      `no node answers at ${client.url}${from}; start one with npm start, or name it with --url`,
    );
  }
}
