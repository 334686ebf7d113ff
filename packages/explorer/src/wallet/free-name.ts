import {
  hasReservedPrefix,
  heldNameId,
  isSystemName,
  nameOf,
  reservedNameId,
  speaksForNetwork,
} from '@netd/protocol';
import { client } from '../chain/client.ts';

/**
 * Returns why a new key cannot register the name, or an empty text. Ids that look the same are one name. Reads
 * proofs, because the browser would log a 404 for each free name as an error.
 */
export async function whyNotFree(actorId: string): Promise<string> {
  const ofNetwork = `The name ${actorId} belongs to the network, or looks like such a name. Choose another one.`;
  if (hasReservedPrefix(actorId) || isSystemName(actorId) || speaksForNetwork(actorId))
    return ofNetwork;
  const ids = [nameOf(actorId), heldNameId(actorId), reservedNameId(actorId)];
  const [taken, held, reserved] = await Promise.all(
    ids.map(async (id) => (await client.read('/v1/state/proof', { key: `name/${id}` })).value),
  );
  if (taken) {
    const { actorId: holder } = taken as { actorId: string };
    return holder === actorId
      ? `The name ${actorId} is taken. Choose another one.`
      : `The name ${actorId} is a spelling of ${holder}, which is taken. Choose another one.`;
  }
  if (held) return `The name ${actorId} is reserved for another key. Choose another one.`;
  return reserved ? ofNetwork : '';
}
