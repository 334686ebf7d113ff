/** A runtime provider on a real node: it applies, is invited by the operator, and claims. */
import { UNET_PER_NET } from '@netd/protocol';
import type { HttpNode } from './http-node.ts';
import { installRole } from './install-role.ts';

const BOND = 100 * UNET_PER_NET;
const PROVIDER = 'runtime-keeper';

/** Answers its id. */
export async function becomeProvider(node: HttpNode): Promise<string> {
  await installRole(node, PROVIDER, 'RUNTIME_PROVIDER', {
    actions: ['registerRuntimeOffer', 'attestMemoryRestore'],
    profile: { bond: BOND, region: 'eu', faultDomain: 'a' },
    bond: BOND,
  });
  return PROVIDER;
}
