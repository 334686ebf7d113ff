/** A runtime provider on a real node. */
import { UNET_PER_NET } from '@netd/protocol';
import type { HttpNode } from './http-node.ts';
import { takeRole } from './roles.ts';

const BOND = 100 * UNET_PER_NET;
const PROVIDER = 'runtime-keeper';

/** Returns the provider's id. */
export async function becomeProvider(node: HttpNode): Promise<string> {
  const { actorId: operator } = node.running.node.dataDir.operator;
  await node.join(PROVIDER);
  await node.act(operator, 'transfer', { to: PROVIDER, amount: BOND });
  await takeRole(node, PROVIDER, 'RUNTIME_PROVIDER', {
    actions: ['registerRuntimeOffer', 'attestMemoryRestore'],
    profile: { bond: BOND, region: 'eu', faultDomain: 'a' },
  });
  return PROVIDER;
}
