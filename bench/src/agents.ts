/** Load agents: keys derived from names, registrations, and intents signed before measuring. */
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { bytesToSign, canonicalize, publicKeyHash, type JsonObject } from '@netd/protocol';

export interface BenchAgent {
  agentId: string;
  publicKey: string;
  privateKey: KeyObject;
  /** The last beacon sequence. */
  sequence: number;
}

export const CHAIN_ID = 'net-bench';
/** The DER of RFC 8410 before the 32 bytes of an Ed25519 key. */
const PRIVATE_KEY_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export function agentIdOf(index: number): string {
  return `agent-${index}`;
}

/** Returns the same agent every time, because the signing process did not fill the state. */
export function makeAgent(index: number): BenchAgent {
  const agentId = agentIdOf(index);
  const key = Buffer.concat([PRIVATE_KEY_PREFIX, seedOf(agentId)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
  return { agentId, publicKey, privateKey, sequence: 0 };
}

export function makeAgents(count: number): BenchAgent[] {
  return Array.from({ length: count }, (_, index) => makeAgent(index));
}

function seedOf(agentId: string): Buffer {
  return createHash('sha256').update(`netd bench ${agentId}`).digest();
}

export function registration(agent: BenchAgent): JsonObject {
  return signed(agent, registrationOf(agent.agentId, agent.publicKey));
}

/** Returns a registration with random bytes as key and signature, for states filled without verification. */
export function passiveRegistration(agentId: string): JsonObject & { publicKey: string } {
  const der = Buffer.concat([PUBLIC_KEY_PREFIX, seedOf(agentId)]);
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  return { ...registrationOf(agentId, publicKey), publicKey, signature: NO_SIGNATURE };
}

function registrationOf(agentId: string, publicKey: string): JsonObject {
  return {
    actorId: agentId,
    description: 'an agent that makes load',
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
    nonce: 'registration',
    chainId: CHAIN_ID,
  };
}

const NO_SIGNATURE = Buffer.alloc(64).toString('base64');

/** Heights for which load intents are valid; more than any load takes. */
const LIFETIME = 4_000;

export interface Draft {
  nonce: string;
  action: string;
  payload: JsonObject;
}

export function signedIntent(agent: BenchAgent, draft: Draft, height: number): JsonObject {
  return signed(agent, intentOf(agent.agentId, draft, height));
}

/** Like signedIntent with an invalid signature, for states filled without verification. */
export function unsignedIntent(agentId: string, draft: Draft, height: number): JsonObject {
  return { ...intentOf(agentId, draft, height), signature: NO_SIGNATURE };
}

function intentOf(agentId: string, { nonce, action, payload }: Draft, height: number): JsonObject {
  return {
    actorId: agentId,
    nonce,
    expiresAtHeight: height + LIFETIME,
    action,
    chainId: CHAIN_ID,
    payload,
  };
}

function signed(agent: BenchAgent, envelope: JsonObject): JsonObject {
  const signature = sign(null, bytesToSign(envelope), agent.privateKey).toString('base64');
  return { ...envelope, signature };
}

export function beaconPayload(
  agent: Pick<BenchAgent, 'agentId' | 'sequence'>,
  height: number,
): JsonObject {
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

/** Returns the agent's next beacon as canonical JSON. */
export function beaconIntent(agent: BenchAgent, height: number): string {
  const payload = beaconPayload(agent, height);
  const nonce = `beacon-${agent.sequence}`;
  return canonicalize(signedIntent(agent, { nonce, action: 'publishBeacon', payload }, height));
}

/** Returns `count` beacons, cycling through the agents, so that each agent's are ordered and far apart. */
export function beaconIntents(agents: BenchAgent[], count: number, height: number): string[] {
  return Array.from({ length: count }, (_, index) => beaconIntent(at(agents, index), height));
}

/** Returns `count` ordered beacons for each agent. */
export function beaconsByAgent(agents: BenchAgent[], count: number, height: number): string[][] {
  return agents.map((agent) => Array.from({ length: count }, () => beaconIntent(agent, height)));
}

/** Returns the agent at an index, cyclically. */
export function at<Agent>(agents: readonly Agent[], index: number): Agent {
  const agent = agents[index % agents.length];
  if (agent === undefined) throw new Error('there are no agents');
  return agent;
}
