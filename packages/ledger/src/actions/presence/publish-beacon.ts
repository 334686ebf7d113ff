import { ActorId, Hash, Height, HttpsUri, MAX_EXPIRY_DISTANCE } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireLastHeight } from '../../deadline.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';

export const AgentBeacon = Type.Object(
  {
    schema: Type.Literal('NET-AGENT-BEACON/1'),
    agentId: ActorId,
    indexable: Type.Literal(true, { description: 'Publishing a beacon is consent to be listed.' }),
    endpoint: HttpsUri,
    capabilities: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      minItems: 1,
      maxItems: 32,
      uniqueItems: true,
      description: 'What the agent offers to do, in its own words.',
    }),
    protocols: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      minItems: 1,
      maxItems: 16,
      uniqueItems: true,
      description: 'How it can be spoken to, for example "a2a/1.0".',
    }),
    metadataHash: Hash,
    expiresAtHeight: Type.Integer({
      ...Height,
      description: 'The last height at which the beacon is current, at most 5,000 ahead.',
    }),
    sequence: Type.Integer({ minimum: 1, description: 'Above every sequence published before.' }),
  },
  {
    title: 'AgentBeacon',
    additionalProperties: false,
    description: 'An agent publishes its address and its skills.',
  },
);
export type AgentBeacon = Static<typeof AgentBeacon>;

export const publishBeacon = defineAction({
  name: 'publishBeacon',
  summary: 'Announce your endpoint, capabilities and protocols until a height.',
  grant: { AGENT: 'base' },
  payload: AgentBeacon,
  actor: 'agentId',
  errors: [
    'BEACON_SEQUENCE_STALE',
    'BEACON_EXPIRED',
    'BEACON_EXPIRY_TOO_FAR',
    'BEACON_METADATA_NOT_OWN',
  ],
  events: ['BeaconPublished'],

  check({ state, block, session }, { agentId, sequence, expiresAtHeight, metadataHash }) {
    requireLastHeight(expiresAtHeight, block, {
      path: '/payload/expiresAtHeight',
      passed: 'BEACON_EXPIRED',
      ahead: { most: MAX_EXPIRY_DISTANCE, tooFar: 'BEACON_EXPIRY_TOO_FAR' },
    });
    const record = state.get('beacon', agentId);
    const last = record?.lastSequence ?? 0;
    requireThat(
      sequence > last,
      'BEACON_SEQUENCE_STALE',
      '/payload/sequence',
      () => `the last one was ${last}`,
    );
    // Metadata contains the sealing key. With a stolen session key, a thief could replace it and read
    // messages.
    requireThat(
      !session || metadataHash === record?.ownMetadataHash,
      'BEACON_METADATA_NOT_OWN',
      '/payload/metadataHash',
    );
    return metadataHash;
  },

  apply(context, beacon, ownMetadataHash) {
    const { state, emit } = context;
    state.put('beacon', beacon.agentId, {
      agentId: beacon.agentId,
      beacon,
      expired: false,
      lastSequence: beacon.sequence,
      ownMetadataHash,
      publishedAt: positionOf(context),
    });
    emit('BeaconPublished', {
      agentId: beacon.agentId,
      expiresAtHeight: beacon.expiresAtHeight,
      sequence: beacon.sequence,
    });
  },
});
