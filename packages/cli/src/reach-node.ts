import { NetError, type NetClient, type NetworkStatus } from '@netd/sdk';
import { CommandError } from './command-error.ts';

/**
 * Which chain answers.
 * @throws CommandError where nobody does; NetError where it is no node, or one in trouble
 */
export async function reachNode(client: NetClient): Promise<NetworkStatus> {
  try {
    return await client.network();
  } catch (error) {
    if (error instanceof NetError) throw error;
    throw new CommandError(
      `no node answers at ${client.url}; start one with npm start, or name it with --url`,
    );
  }
}
