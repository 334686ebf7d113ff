/** On a fork the agents of the house are there already, under the keys of the house that its origin has. */
import { AgentKey, type NetClient } from '@netd/sdk';
import { labKey } from '@netd/sdk/test';
import type { StaffKey } from '@netd/house';

const LIFETIME = 100;

/**
 * Gives an agent the key that the house of this laboratory has for it, as only a laboratory allows.
 * @param oldKeyHash of the key that it has
 */
export async function takeOver(
  client: NetClient,
  { actorId, publicKey, privateKey }: StaffKey,
  oldKeyHash: string,
): Promise<void> {
  const { chainId, height } = await client.read('/v1/network', {});
  const nonce = crypto.randomUUID();
  const key = await AgentKey.fromPem({ publicKey, privateKey });
  const facts = { chainId, actorId, oldKeyHash, newPublicKey: publicKey, nonce };
  const { signature } = await key.sign({ schema: 'NET-KEY-ROTATION/1', ...facts });
  const anybody = await AgentKey.fromPem(labKey('anybody'));
  const envelope = await anybody.sign({
    actorId,
    nonce,
    expiresAtHeight: height + LIFETIME,
    action: 'rotateAgentKey',
    payload: { agentId: actorId, newPublicKey: publicKey, newKeySignature: signature },
    chainId,
  });
  await client.send(envelope);
}
