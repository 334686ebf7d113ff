/** Agents to make load with: keys, registrations, beacons, all signed before anything is measured. */
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { makeSubmission, type Submission } from '@netd/ledger';
import { NetNode } from '@netd/node';
import { bytesToSign, canonicalize, publicKeyHash, type JsonObject } from '@netd/protocol';

export interface BenchAgent {
  agentId: string;
  publicKey: string;
  privateKey: KeyObject;
  /** The beacon sequence it used last. */
  sequence: number;
}

export function makeAgents(count: number, prefix = 'agent'): BenchAgent[] {
  return Array.from({ length: count }, (_, index) => {
    const pair = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    return {
      agentId: `${prefix}-${index}`,
      publicKey: pair.publicKey,
      privateKey: createPrivateKey({ key: pair.privateKey, type: 'pkcs8', format: 'der' }),
      sequence: 0,
    };
  });
}

function signed(agent: BenchAgent, envelope: JsonObject): JsonObject {
  const signature = sign(null, bytesToSign(envelope), agent.privateKey).toString('base64');
  return { ...envelope, signature };
}

export function registration(agent: BenchAgent): JsonObject {
  return signed(agent, {
    actorId: agent.agentId,
    description: 'an agent that makes load',
    publicKey: agent.publicKey,
    publicKeyHash: publicKeyHash(agent.publicKey),
    nonce: 'registration',
    chainId: 'net-devnet-1',
  });
}

/** Heights that what is made for a load stays valid: more than any load takes. */
export const LIFETIME = 4_000;

/** An intent as its agent would sign it. */
export function signedIntent(
  agent: BenchAgent,
  { nonce, action, payload }: { nonce: string; action: string; payload: JsonObject },
  height: number,
): JsonObject {
  return signed(agent, {
    actorId: agent.agentId,
    nonce,
    expiresAtHeight: height + LIFETIME,
    action,
    chainId: 'net-devnet-1',
    payload,
  });
}

export function beaconPayload(agent: BenchAgent, height: number): JsonObject {
  return {
    schema: 'NET-AGENT-BEACON/1',
    agentId: agent.agentId,
    indexable: true,
    endpoint: `https://agents.example/${agent.agentId}`,
    capabilities: ['research', 'translate'],
    protocols: ['a2a/1.0'],
    metadataHash: 'a'.repeat(64),
    expiresAtHeight: height + LIFETIME,
    sequence: ++agent.sequence,
  };
}

/** A beacon as its agent would send it: canonical bytes, the next sequence. */
export function beaconIntent(agent: BenchAgent, height: number): Buffer {
  const payload = beaconPayload(agent, height);
  const nonce = `beacon-${agent.sequence}`;
  const envelope = signedIntent(agent, { nonce, action: 'publishBeacon', payload }, height);
  return Buffer.from(canonicalize(envelope));
}

/** `count` beacons, agent after agent, so that every agent's come in order and far apart. */
export function beaconIntents(agents: BenchAgent[], count: number, height: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    return beaconIntent(at(agents, index), height);
  });
}

/** The agents, round and round. */
export function at(agents: readonly BenchAgent[], index: number): BenchAgent {
  const agent = agents[index % agents.length];
  if (!agent) throw new Error('there are no agents');
  return agent;
}

/**
 * Registers agents without having their signatures verified again: this fills the state, it is not what is measured.
 */
export async function seed(node: NetNode, agents: BenchAgent[]): Promise<void> {
  await seedAll(node, agents.length, (index) => {
    const agent = at(agents, index);
    return makeSubmission('registration', registration(agent), agent.publicKey);
  });
}

/** The same for anything: `make` answers the submission of an index, verified already. */
export async function seedAll(
  node: NetNode,
  count: number,
  make: (index: number) => Submission,
): Promise<void> {
  const BATCH = 4_000;
  for (let from = 0; from < count; from += BATCH) {
    const results = await Promise.all(
      Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) =>
        node.chain.submit(make(from + offset)),
      ),
    );
    const failed = results.find(({ status }) => status !== 'committed');
    if (failed) throw new Error(`seeding failed: ${JSON.stringify(failed)}`);
  }
}
