/** Gives roles to a test's agents as on every chain: application, approval by the operator, claim. */
import type { JsonObject } from '@netd/protocol';
import type { Actor, Application, NetClient } from '../index.ts';

/** The roles of an agent in a test. The operator is `network.operator`: no chain has a second one. */
export type TestRole = 'verifier' | 'runtime-provider' | 'auditor' | 'governor' | 'human';

/** A role of the network for an agent of a test. */
export interface TestRoleOptions {
  /** Role to be granted. */
  role: TestRole;
  /** Capabilities of the role, as in beacons. */
  capabilities?: readonly string[] | undefined;
  /** In unet; default the least that the chain requires. It is added to the agent's balance. */
  bond?: number | undefined;
  /** Group of a verifier or auditor; default its own. */
  independenceGroup?: string | undefined;
}

const LIFETIME = 2_000;
const GROUPED = new Set<TestRole>(['verifier', 'auditor']);

export async function giveRole(
  client: NetClient,
  { operator, actor }: { operator: Actor; actor: Actor },
  { role, capabilities, bond, independenceGroup }: TestRoleOptions,
): Promise<void> {
  const { capabilitySets, policy } = await client.read('/v1/manifest');
  const name = role.toUpperCase().replaceAll('-', '_');
  const actions = (capabilitySets.roles as Record<string, string[]>)[name];
  if (!actions || name === 'AGENT' || name === 'VALIDATOR') {
    throw new RangeError(`${role} is no role that a test gives`);
  }
  const { minimumBonds } = (policy as unknown as Policy).operators;
  const profiles: Partial<Record<TestRole, JsonObject>> = {
    verifier: { bond: bond ?? minimumBonds.verifier },
    'runtime-provider': {
      bond: bond ?? minimumBonds.runtimeProvider,
      region: 'lab',
      faultDomain: actor.actorId,
    },
  };
  const profile = profiles[role] ?? {};
  const { actorId } = actor;
  const { height } = await client.network();
  const applicationId = `${actorId}-${role}-${height}`;
  const toPay = Number(profile['bond'] ?? 0);
  if (toPay > 0) await client.act(operator, 'transfer', { to: actorId, amount: toPay });
  await client.apply(actor, {
    applicationId,
    role: name as Application['role'],
    capabilities: (capabilities ?? actions).map((action) => ({ action })),
    profile,
    expiresAtHeight: height + LIFETIME,
  });
  const group = independenceGroup ?? `group-of-${actorId}`;
  const { transitionHash } = await client.act(operator, 'createOperatorInvitation', {
    applicationId,
    ...(GROUPED.has(role) ? { independenceGroup: group } : {}),
  });
  await client.claim(actor, transitionHash);
}

interface Policy {
  operators: { minimumBonds: { verifier: number; runtimeProvider: number } };
}
