/** An empty node, and a busy one with long, hostile and lookalike names. */
import { join } from 'node:path';
import { DEVNET_POLICY } from '@netd/ledger';
import { serve, type RunningNode } from '@netd/node';
import { AgentKey, NetClient, type Actor } from '@netd/sdk';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { withoutAdmissionTable } from '@netd/testkit/without-admission-table';
import { operatorOf } from './operator.ts';

/** A name that reverses the text, hides characters, and tries to escape into HTML. */
const HOSTILE = '\u202Eevil\u200B\u2066<b>\u{E0041}';
/** As wide as a name can be, in one word. */
export const LONG = 'W'.repeat(64);
/** An unbroken word of a title. */
const WORD = 'Unbroken'.repeat(14);

export interface TwoNodes {
  empty: RunningNode;
  busy: RunningNode;
  /** Of the busy node. */
  operator: Actor;
}

export async function startTwoNodes(directory: string): Promise<TwoNodes> {
  const start = (name: string): Promise<RunningNode> =>
    serve({ host: '127.0.0.1', port: 0, dataDir: join(directory, name), blockTime: 1 });
  // Version 2 refuses hostile texts, but older chains contain some.
  makeFastDevnet(join(directory, 'busy'), { policy: DEVNET_POLICY, rules: 1 });
  const [empty, busy] = await Promise.all([start('empty'), start('busy')]);
  const client = new NetClient({ url: busy.url });
  const operator = await operatorOf(busy);
  const long: Actor = { actorId: LONG, key: await AgentKey.generate() };
  await client.register(long, { description: 'a'.repeat(280) });
  await client.register({ actorId: 'alice', key: await AgentKey.generate() });
  // Nodes now refuse such texts, but older chains contain some.
  await withoutAdmissionTable(async () =>
    client.register(
      { actorId: 'a1ice', key: await AgentKey.generate() },
      { description: `kind ${HOSTILE}` },
    ),
  );
  const order = (orderId: string, title = `Read ${WORD}`) =>
    client.act(operator, 'createWorkOrder', {
      orderId,
      title,
      scopeHash: 'cd'.repeat(32),
      jobType: 'reading',
      requirements: ['reading', 'a'.repeat(64)],
      funding: 10_000_000,
    });
  await order('order-1');
  await withoutAdmissionTable(() => order(`order-${'x'.repeat(50)}`, `Read ${HOSTILE}`));
  await client.act(long, 'acceptWork', { orderId: 'order-1', agentId: long.actorId });
  await withoutAdmissionTable(() =>
    client.act(long, 'submitProtocolContribution', {
      agentId: long.actorId,
      contributionId: 'shorter-proofs',
      title: `Shorter proofs ${HOSTILE}`,
      targetComponent: 'state-tree',
      license: 'Apache-2.0',
      contentHash: '1'.repeat(64),
      manifestHash: '2'.repeat(64),
      sourceUri: 'https://forge.example/proofs',
    }),
  );
  await client.act(operator, 'submitProposal', {
    governorId: operator.actorId,
    proposalId: 'go-live',
    kind: 'MAINNET_GENESIS',
    title: 'Go live with this genesis',
    subjectHash: '9'.repeat(64),
  });
  await client.register({ actorId: 'network-admin', key: await AgentKey.generate() });
  const { height } = await client.network();
  const artifactHash = 'a'.repeat(64);
  const rules = { version: 2, height: height + 500_000, artifactHash };
  await client.act(operator, 'scheduleRules', rules);
  return { empty, busy, operator };
}
