/** Gives the house's agents new keys on a fork. Until then, they have the keys of the origin's house. */
import { AgentKey, type NetClient } from '@netd/sdk';
import { NAMED_GENESIS } from '@netd/sdk/internal';
import { labKey } from '@netd/sdk/test';
import type { StaffKey } from '@netd/house';

const LIFETIME = 100;

/**
 * Replaces the agent's key. Only a laboratory allows this.
 * @param oldKeyHash of the agent's current key
 */
export async function takeOver(
  client: NetClient,
  { actorId, publicKey, privateKey }: StaffKey,
  oldKeyHash: string,
): Promise<void> {
  const { chainId, height, genesisHash, rules } = await client.network();
  const genesis = rules.version >= NAMED_GENESIS ? { genesisHash } : {};
  const nonce = crypto.randomUUID();
  const key = await AgentKey.fromPem({ publicKey, privateKey });
  const facts = { chainId, actorId, oldKeyHash, newPublicKey: publicKey, nonce, ...genesis };
  const { signature } = await key.sign({ schema: 'NET-KEY-ROTATION/1', ...facts });
  const anybody = await AgentKey.fromPem(labKey('anybody'));
  const envelope = await anybody.sign({
    actorId,
    nonce,
    expiresAtHeight: height + LIFETIME,
    action: 'rotateAgentKey',
    payload: {
      agentId: actorId,
      newPublicKey: publicKey,
      newKeySignature: signature,
      ...genesis,
    },
    chainId,
    ...genesis,
  });
  await client.send(envelope);
}
