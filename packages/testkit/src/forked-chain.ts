/** A fork: two machines with one validator key continue the same chain. */
import { cpSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { canonicalize } from '@netd/protocol';
import { registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { recover, type RunningNode, serve } from '@netd/node';
import { tempDir } from './temp-dir.ts';

/** Too late for any empty block. */
const NEVER = 100_000_000;

export interface ForkedChain {
  writer: RunningNode;
  /** One block ahead of the writer. */
  twin: RunningNode;
  /** The first height at which they differ. */
  height: number;
}

/** Starts two nodes with the same validators and agent alice. bob is the writer's, mallory the twin's. */
export async function startFork(t: TestContext): Promise<ForkedChain> {
  const [here, there] = [tempDir(t), tempDir(t)];
  const options = { host: '127.0.0.1', port: 0, blockTime: 1, idleBlockTime: NEVER };
  const one = await serve({ ...options, dataDir: here });
  await join(one, 'alice');
  await one.stop();
  cpSync(here, there, { recursive: true });
  // A false statement: the chain does continue elsewhere.
  await recover({ dataDir: there, from: [] });
  const [writer, twin] = await Promise.all([
    serve({ ...options, dataDir: here }),
    serve({ ...options, dataDir: there }),
  ]);
  t.after(() => Promise.all([writer.stop(), twin.stop()]));
  const height = writer.node.chain.height + 1;
  await join(writer, 'bob');
  await join(twin, 'mallory');
  await join(twin, 'trudy');
  return { writer, twin, height };
}

/** Registers an agent with a key derived from its name. */
export async function join({ node, url }: RunningNode, actorId: string): Promise<void> {
  const key = testKey(actorId);
  const { chainId } = node.dataDir.genesis;
  const envelope = registrationOf({ actorId, key }, { nonce: actorId, chainId });
  const response = await fetch(`${url}/v1/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: canonicalize(signEnvelope(key, envelope)),
  });
  if (response.status !== 201) throw new Error(await response.text());
}
