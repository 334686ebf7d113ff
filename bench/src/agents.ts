/** Agents to make load with: keys, registrations, beacons, all signed before anything is measured. */
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { makeSubmission } from '@netd/ledger';
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

/** A beacon as its agent would send it: canonical bytes, the next sequence. */
export function beaconIntent(agent: BenchAgent, height: number): Buffer {
  agent.sequence++;
  const envelope = signed(agent, {
    actorId: agent.agentId,
    nonce: `beacon-${agent.sequence}`,
    expiresAtHeight: height + 4_000,
    action: 'publishBeacon',
    chainId: 'net-devnet-1',
    payload: {
      schema: 'NET-AGENT-BEACON/1',
      agentId: agent.agentId,
      indexable: true,
      endpoint: `https://agents.example/${agent.agentId}`,
      capabilities: ['research', 'translate'],
      protocols: ['a2a/1.0'],
      metadataHash: 'a'.repeat(64),
      expiresAtHeight: height + 4_000,
      sequence: agent.sequence,
    },
  });
  return Buffer.from(canonicalize(envelope));
}

/** `count` beacons, agent after agent, so that every agent's come in order and far apart. */
export function beaconIntents(agents: BenchAgent[], count: number, height: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const agent = agents[index % agents.length];
    if (!agent) throw new Error('there are no agents');
    return beaconIntent(agent, height);
  });
}

/**
 * Registers agents without having their signatures verified again: this fills the state, it is not what is measured.
 */
export async function seed(node: NetNode, agents: BenchAgent[]): Promise<void> {
  const BATCH = 4_000;
  for (let at = 0; at < agents.length; at += BATCH) {
    const results = await Promise.all(
      agents
        .slice(at, at + BATCH)
        .map((agent) =>
          node.chain.submit(makeSubmission('registration', registration(agent), agent.publicKey)),
        ),
    );
    const failed = results.find(({ status }) => status !== 'committed');
    if (failed) throw new Error(`seeding failed: ${JSON.stringify(failed)}`);
  }
}
