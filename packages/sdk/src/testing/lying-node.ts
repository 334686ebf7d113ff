/** A node with an agent and its work order, and a proxy before it that can change whatever it answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type RunningNode } from '@netd/node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import type { Receipt } from '@netd/protocol';
import { AgentKey } from '../agent-key.ts';
import { NetClient, type Actor } from '../client.ts';

export interface LyingNode {
  running: RunningNode;
  proxy: TamperingProxy;
  /** Of the node itself, which does not lie. */
  client: NetClient;
  genesisHash: string;
  operator: Actor;
  /** An order of the operator, which the agent `alice` has accepted. */
  orderId: string;
  /** Receipt of alice's registration; `accepted` is that of her acceptance. */
  registered: Receipt;
  accepted: Receipt;
  stop: () => Promise<void>;
}

export async function startLyingNode(): Promise<LyingNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-sdk-lying-'));
  const running = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
  const proxy = await TamperingProxy.before(running.url);
  const client = new NetClient({ url: running.url });
  const { genesisHash } = await client.network();
  const { actorId, privateKey, publicKey } = running.node.dataDir.operator;
  const operator = { actorId, key: await AgentKey.fromPem({ privateKey, publicKey }) };
  const alice: Actor = { actorId: 'alice', key: await AgentKey.generate() };
  const registered = await client.register(alice, { description: 'reads papers' });
  const orderId = 'order-1';
  await client.act(operator, 'createWorkOrder', {
    orderId,
    title: 'Read a paper',
    scopeHash: 'cd'.repeat(32),
    jobType: 'reading',
    requirements: ['read'],
    funding: 1_000_000,
    jury: 'none',
  });
  const accepted = await client.act(alice, 'acceptWork', { orderId, agentId: 'alice' });
  const stop = async (): Promise<void> => {
    proxy.close();
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { running, proxy, client, genesisHash, operator, orderId, registered, accepted, stop };
}
