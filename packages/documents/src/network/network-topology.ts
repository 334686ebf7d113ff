import { LOCATION_DIMENSIONS, type LocationDimension } from '@netd/ledger';
import { ActorId } from '@netd/protocol';
import { exactly, Type, type TProperties } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { Heartbeat, heartbeatView } from './heartbeat.ts';
import { FollowerNode, followerNode } from './node-registry.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { Replica, replicaPage, replicaView } from './replica-registry.ts';

const LISTED = 50;

const count = Type.Integer();
const truncated = Type.Boolean({ description: `Whether there are more than ${LISTED}.` });
const sized = (properties: TProperties) => exactly({ ...properties, truncated });

const Locations = sized({
  locations: Type.Array(exactly({ label: Type.String(), nodes: count, validators: count }), {
    description: 'Most populated first, as their last heartbeats say.',
  }),
});

export const networkTopology = defineDocument({
  name: 'NET-NETWORK-TOPOLOGY/1',
  route: '/v1/topology',
  operationId: 'getTopology',
  tag: 'network',
  summary: 'Nodes, validators and replicas by region, country and fault domain',
  description: 'Where nodes, validators and replicas say they are, and how far they have verified.',
  content: {
    totals: exactly({
      certifyingValidators: Type.Integer(),
      validatorCandidates: Type.Integer({ description: 'Bonded and not revoked.' }),
      validatorsReporting: Type.Integer({ description: 'Have ever sent a heartbeat.' }),
      nodesReporting: Type.Integer({ description: 'Have ever sent a heartbeat.' }),
      runtimeProviders: Type.Integer({ description: 'Bonded and not revoked.' }),
    }),
    consensus: exactly({
      validators: Type.Array(
        exactly({ validatorId: ActorId, votingPower: count, faultDomain: Type.String() }),
      ),
      totalVotingPower: count,
      quorum: count,
      faultDomains: Type.Integer(),
      haltsWithout: Type.Array(ActorId, {
        description: 'Validators without any one of which no block is certified.',
      }),
    }),
    distribution: exactly(
      Object.fromEntries(LOCATION_DIMENSIONS.map((dimension) => [dimension, Locations])),
    ),
    nodes: sized({
      items: Type.Array(FollowerNode),
    }),
    validators: sized({
      items: Type.Array(exactly({ validatorId: ActorId, heartbeat: Heartbeat })),
    }),
    replicas: sized({ items: Type.Array(Replica) }),
    evidence: evidenceSchema(),
    boundaries: Boundaries,
  },
  build: (snapshot) => {
    const { validators, totalVotingPower, quorum } = snapshot.validatorSetAt(snapshot.height);
    const nodes = snapshot.list('node-heartbeat', 'nodes', { limit: LISTED });
    const heartbeats = snapshot.list('validator-heartbeat', 'validator-heartbeats', {
      limit: LISTED,
    });
    const replicas = replicaPage(snapshot, { limit: LISTED });
    return {
      totals: {
        certifyingValidators: validators.length,
        validatorCandidates: counterOf(snapshot, 'active-validator-candidates'),
        validatorsReporting: counterOf(snapshot, 'validator-heartbeats'),
        nodesReporting: counterOf(snapshot, 'node-heartbeats'),
        runtimeProviders: counterOf(snapshot, 'active-runtime-providers'),
      },
      consensus: {
        validators: validators.map(({ validatorId, votingPower, faultDomain }) => ({
          validatorId,
          votingPower,
          faultDomain,
        })),
        totalVotingPower,
        quorum,
        faultDomains: new Set(validators.map(({ faultDomain }) => faultDomain)).size,
        haltsWithout: validators
          .filter(({ votingPower }) => totalVotingPower - votingPower < quorum)
          .map(({ validatorId }) => validatorId),
      },
      distribution: Object.fromEntries(
        LOCATION_DIMENSIONS.map((dimension) => [dimension, locationsOf(snapshot, dimension)]),
      ),
      nodes: {
        items: nodes.items.map((record) => followerNode(snapshot, record)),
        truncated: nodes.next !== null,
      },
      validators: {
        items: heartbeats.items.map((record) => ({
          validatorId: record.validatorId,
          heartbeat: heartbeatView(snapshot, record),
        })),
        truncated: heartbeats.next !== null,
      },
      replicas: {
        items: replicas.items.map((record) => replicaView(snapshot, record)),
        truncated: replicas.nextCursor !== null,
      },
      evidence: evidenceOf([
        'counter/node-heartbeats',
        'counter/validator-heartbeats',
        'counter/active-validator-candidates',
      ]),
      links: {
        nodes: '/v1/nodes',
        replicas: '/v1/replicas',
        validators: '/v1/validators',
        validatorSet: '/v1/consensus/validator-set',
        network: '/v1/network',
      },
      boundaries: [
        'Locations are what senders declare about themselves, and count all that ever reported: different labels may be one machine, and a heartbeat that is not recent says nothing about today.',
      ],
    };
  },
});

function locationsOf(snapshot: Snapshot, dimension: LocationDimension): object {
  const found = snapshot.top('location', 'locations', { value: dimension, limit: LISTED + 1 });
  return {
    locations: found.slice(0, LISTED).map(({ label, nodes, validators }) => ({
      label,
      nodes,
      validators,
    })),
    truncated: found.length > LISTED,
  };
}
