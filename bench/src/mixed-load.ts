/** A mixed load. Each intent follows its prerequisites, and admission keeps the order. */
import { canonicalize, type JsonObject } from '@netd/protocol';
import { at, beaconPayload, LIFETIME, signedIntent, type BenchAgent } from './agents.ts';

type Kind = 'message' | 'work' | 'beacon' | 'transfer' | 'memory';

/** Of ten: three messages, three work steps, two beacons, a transfer, a memory checkpoint. */
const MIX: readonly Kind[] = [
  'message',
  'work',
  'beacon',
  'message',
  'work',
  'transfer',
  'message',
  'work',
  'beacon',
  'memory',
];

interface Step {
  agent: BenchAgent;
  action: string;
  payload: JsonObject;
}

/** In unet. */
const FUNDING = 1_000;

export function orderPayload(orderId: string): JsonObject {
  return {
    orderId,
    title: 'Read a paper',
    scopeHash: 'b'.repeat(64),
    jobType: 'research',
    requirements: ['research'],
    funding: FUNDING,
  };
}

/** Makes intents for funded, permitted agents without prior activity. */
export class MixedLoad {
  private readonly agents: readonly BenchAgent[];
  private readonly height: number;
  private made = 0;
  private readonly turns: Record<Kind, number> = {
    message: 0,
    work: 0,
    beacon: 0,
    transfer: 0,
    memory: 0,
  };
  private readonly generations = new Map<string, number>();

  /** @param height current; all intents are valid from it on */
  constructor(agents: readonly BenchAgent[], height: number) {
    this.agents = agents;
    this.height = height;
  }

  /** Returns the next `count` intents as canonical JSON. */
  intents(count: number): string[] {
    return Array.from({ length: count }, () => {
      const number = this.made++;
      const kind = MIX[number % MIX.length] ?? 'beacon';
      const { agent, ...rest } = this.draft(kind, this.turns[kind]++);
      return canonicalize(signedIntent(agent, { nonce: `mixed-${number}`, ...rest }, this.height));
    });
  }

  private draft(kind: Kind, turn: number): Step {
    const agent = at(this.agents, turn);
    switch (kind) {
      case 'message':
        return this.message(Math.floor(turn / 2), turn % 2);
      case 'work':
        return this.work(Math.floor(turn / 3), turn % 3);
      case 'beacon':
        return { agent, action: 'publishBeacon', payload: beaconPayload(agent, this.height) };
      case 'transfer': {
        const to = at(this.agents, turn + 1).agentId;
        return { agent, action: 'transfer', payload: { to, amount: 1 } };
      }
      case 'memory':
        return this.memory(agent);
      default:
        return kind satisfies never;
    }
  }

  /** Sent, then acknowledged; conversations continue. */
  private message(index: number, step: number): Step {
    const sender = at(this.agents, index);
    const recipient = at(this.agents, index + 1);
    const messageId = `m-${index}`;
    if (step === 1) {
      const payload = {
        agentId: recipient.agentId,
        messageId,
        status: 'DELIVERED',
        receiptHash: 'c'.repeat(64),
      };
      return { agent: recipient, action: 'acknowledgeAgentMessage', payload };
    }
    const payload = {
      schema: 'NET-AGENT-MESSAGE/1',
      messageId,
      conversationId: `c-${sender.agentId}`,
      agentId: sender.agentId,
      fromAgentId: sender.agentId,
      toAgentId: recipient.agentId,
      sequence: Math.floor(index / this.agents.length) + 1,
      kind: 'REQUEST',
      contentEncoding: 'application/ael-encrypted+json',
      contentHash: 'd'.repeat(64),
      expiresAtHeight: this.height + LIFETIME,
    };
    return { agent: sender, action: 'sendAgentMessage', payload };
  }

  /** Created by one agent, accepted and delivered by the next. */
  private work(index: number, step: number): Step {
    const orderId = `mixed-${index}`;
    if (step === 0) {
      const agent = at(this.agents, index);
      return { agent, action: 'createWorkOrder', payload: orderPayload(orderId) };
    }
    const agent = at(this.agents, index + 1);
    const { agentId } = agent;
    return step === 1
      ? { agent, action: 'acceptWork', payload: { orderId, agentId } }
      : {
          agent,
          action: 'submitWorkResult',
          payload: { orderId, agentId, deliverableHash: 'e'.repeat(64) },
        };
  }

  private memory(agent: BenchAgent): Step {
    const { agentId } = agent;
    const last = this.generations.get(agentId) ?? 0;
    const generation = last + 1;
    this.generations.set(agentId, generation);
    const hashOf = (number: number): string => number.toString(16).padStart(64, '0');
    const payload = {
      agentId,
      checkpointId: `${agentId}-${generation}`,
      generation,
      parentCheckpointHash: last === 0 ? null : hashOf(last),
      checkpointHash: hashOf(generation),
      stateRoot: 'f'.repeat(64),
      chunksRoot: 'f'.repeat(64),
      serializer: 'NET-PORTABLE-MEMORY/1',
      encryption: 'AES-256-GCM',
      byteLength: 4_096,
      chunkCount: 1,
      barrier: { lastInputSequence: generation, lastOutputSequence: generation },
      storageReplicas: ['a', 'b'].map((providerId) => ({
        providerId,
        uri: `https://${providerId}.example/${agentId}`,
        bundleHash: 'f'.repeat(64),
      })),
    };
    return { agent, action: 'commitMemoryCheckpoint', payload };
  }
}
