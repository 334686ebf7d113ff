/**
 * An HTTP node on the populated chain, continuing its time, with more than a page of open work and a replica
 * report.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beaconOf, OPERATOR, testKey, workOrderOf } from '@netd/ledger/testing';
import type { Genesis } from '@netd/protocol';
import { type Clock, systemClock, writeOnce } from '@netd/engine';
import type { KeyFile } from '@netd/node/keys';
import { recover, type ServeOptions } from '@netd/node';
import { HttpNode } from './http-node.ts';
import { ManualClock } from './manual-clock.ts';
import { openPopulated } from './populated-chain.ts';

/** Orders added to those of the populated chain. */
export const MORE_ORDERS = 60;
const REPLICA = 'rita';

export async function startPopulated(discoveryPerMinute: number): Promise<HttpNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-populated-'));
  const clock = new ManualClock();
  const harness = await openPopulated({ path: join(dataDir, 'chain'), clock });
  const { genesis } = harness;
  await harness.close();
  const node = await serveChain(
    dataDir,
    genesis,
    { operatorId: OPERATOR, now: clock.now() },
    { discoveryPerMinute },
  );
  await addWork(node);
  await addReplica(node);
  return node;
}

/**
 * Serves a chain whose keys are derived from names: the operator's from its id, the validator's from "validator".
 * @param now milliseconds since 1970 at which time continues
 */
export async function serveChain(
  dataDir: string,
  genesis: Genesis,
  { operatorId, now }: { operatorId: string; now: number },
  options: Partial<ServeOptions> = {},
): Promise<HttpNode> {
  await completeDataDir(dataDir, genesis, operatorId);
  const { chainId } = genesis;
  return HttpNode.start({ dataDir, chainId, clock: goingOnFrom(now), ...options });
}

/** Writes what a node needs beside the database of such a chain. */
export async function completeDataDir(
  dataDir: string,
  genesis: Genesis,
  operatorId: string,
): Promise<void> {
  const { chainId, validators } = genesis;
  writeFileSync(join(dataDir, 'genesis.json'), JSON.stringify(genesis));
  writeKey(dataDir, 'operator', keyFileOf(chainId, operatorId, operatorId));
  const validatorId = validators[0]?.validatorId ?? '';
  writeKey(dataDir, 'validator', keyFileOf(chainId, validatorId, 'validator'));
  // Safe: the chain is complete, and these keys have signed nothing elsewhere.
  await recover({ dataDir, from: [] });
}

async function addWork(node: HttpNode): Promise<void> {
  const ids = Array.from({ length: MORE_ORDERS }, (_, count) => `more-${count}`);
  await Promise.all(ids.map((id) => node.act(OPERATOR, 'createWorkOrder', workOrderOf(id))));
}

async function addReplica(node: HttpNode): Promise<void> {
  await node.join(REPLICA);
  const beacon = beaconOf(REPLICA, node.height, { capabilities: ['state-replica'] });
  await node.act(REPLICA, 'publishBeacon', beacon);
  const { height, stateRoot } = node.running.node.chain.head;
  await node.act(REPLICA, 'submitNodeHeartbeat', {
    agentId: REPLICA,
    sequence: 1,
    observedHeight: height,
    observedStateRoot: stateRoot,
    nodeVersion: '1.0.0',
  });
}

function writeKey(dataDir: string, name: string, key: KeyFile): void {
  writeOnce(join(dataDir, 'keys', `${name}.json`), JSON.stringify(key), 0o600);
}

function keyFileOf(chainId: string, actorId: string, name: string): KeyFile {
  const { publicKey, publicKeyHash, privateKeyPem: privateKey } = testKey(name);
  return { schema: 'NET-AGENT-KEY/1', chainId, actorId, publicKey, publicKeyHash, privateKey };
}

export function goingOnFrom(start: number): Clock {
  const shift = start - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + shift };
}
