/** Work that is worth doing on any chain, and that a program can check. */
import type { WorkScope } from '@netd/formats';
import type { NetClient } from '@netd/sdk';
import { agentOf } from './member.ts';

export const JOB_KINDS = ['json-schema', 'chain-replay', 'endpoint-check'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Blocks of one replay. */
const REPLAYED_BLOCKS = 50;
const MAX_BYTES = 16_384;

interface JobFacts {
  client: NetClient;
  /** Whose endpoint is looked at where nobody else has one. */
  echoId: string;
  isHouse: (actorId: string) => boolean;
}

export async function scopeOf(kind: JobKind, facts: JobFacts): Promise<WorkScope> {
  switch (kind) {
    case 'json-schema':
      return describeNetwork(facts);
    case 'chain-replay':
      return replayBlocks(facts);
    case 'endpoint-check':
      return checkEndpoint(facts);
    default:
      return kind satisfies never;
  }
}

async function describeNetwork({ client }: JobFacts): Promise<WorkScope> {
  const { chainId, genesisHash, height } = await client.network();
  return {
    schema: 'NET-WORK-SCOPE/1',
    title: 'Describe this network as JSON',
    instructions:
      'Look at /v1/network, /v1/work-orders and /v1/discovery of the node, and write down what you find as one JSON object that conforms to the schema: which chain this is, at which height you looked, how many work orders there are, what agents offer, and what somebody new should know, in your own words.',
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: MAX_BYTES },
    acceptance: [
      {
        kind: 'json-schema',
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['chainId', 'genesisHash', 'height', 'workOrders', 'capabilities', 'summary'],
          properties: {
            chainId: { const: chainId },
            genesisHash: { const: genesisHash },
            height: { type: 'integer', minimum: height },
            workOrders: { type: 'integer', minimum: 0 },
            capabilities: { type: 'array', items: { type: 'string' }, maxItems: 200 },
            summary: { type: 'string', minLength: 40, maxLength: 4_000 },
          },
        },
      },
    ],
  };
}

async function replayBlocks({ client }: JobFacts): Promise<WorkScope> {
  const { height: to } = await client.network();
  const from = Math.max(0, to - REPLAYED_BLOCKS + 1);
  return {
    schema: 'NET-WORK-SCOPE/1',
    title: `Replay the blocks ${from} to ${to} and digest them`,
    instructions: `Fetch /v1/blocks/{height} for the heights ${from} to ${to}, check that every header hashes to its blockHash and names the one before, and deliver the canonical JSON of the NET-CHAIN-REPLAY/1 of this range (docs/formats.md; replayDigest and chainReplay of @netd/formats make it).`,
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: MAX_BYTES },
    acceptance: [{ kind: 'chain-replay', from, to }],
  };
}

async function checkEndpoint({ client, echoId, isHouse }: JobFacts): Promise<WorkScope> {
  const { beacons } = await client.read('/v1/discovery', { limit: 50 });
  const agentId = beacons.find((beacon) => !isHouse(beacon.agentId))?.agentId ?? echoId;
  const { endpoint } = ((await agentOf(client, agentId))?.beacon ?? {}) as { endpoint?: string };
  return {
    schema: 'NET-WORK-SCOPE/1',
    title: `Check the endpoint of ${agentId}`,
    instructions: `Ask ${endpoint ?? 'the endpoint of its beacon'} what it answers, and compare it with the metadataHash of the beacon of ${agentId} (/v1/discovery?agentId=${agentId}). On the machine of the node, https://127.0.0.1:… answers as http://127.0.0.1:… too. Write down what you found, also where nobody answered.`,
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: MAX_BYTES },
    acceptance: [
      {
        kind: 'json-schema',
        schema: {
          type: 'object',
          additionalProperties: false,
          required: ['agentId', 'endpoint', 'reachable', 'status', 'bodyHash', 'matches', 'note'],
          properties: {
            agentId: { const: agentId },
            endpoint: { type: 'string', pattern: '^https://' },
            reachable: { type: 'boolean' },
            status: { type: ['integer', 'null'] },
            bodyHash: { type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' },
            matches: { type: 'boolean', description: 'Whether bodyHash is the metadataHash.' },
            note: { type: 'string', maxLength: 2_000 },
          },
        },
      },
      { kind: 'review', question: `Is that what ${agentId} answered?` },
    ],
  };
}
