import { ChainPosition, Hash, Height, type JsonObject } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';

export interface BeaconRecord {
  agentId: string;
  /** Survives withdrawal. */
  lastSequence: number;
  /** Signed by the agent's own key; sessions must repeat it. Survives withdrawal. */
  ownMetadataHash: string;
  /** As it was signed; null after withdrawal. */
  beacon:
    (JsonObject & { capabilities: string[]; protocols: string[]; expiresAtHeight: number }) | null;
  /** True once the timer ran, which may be late. Compare heights instead. */
  expired: boolean;
  publishedAt: ChainPosition;
}

const Declared = orNull(Type.String());

export const HeartbeatReport = exactly({
  sequence: Type.Integer(),
  observedHeight: Height,
  observedStateRoot: Hash,
  nodeVersion: Type.String(),
  endpoint: Declared,
  region: Declared,
  countryCode: Declared,
  faultDomain: Declared,
  receivedAt: ChainPosition,
  transitionHash: Hash,
});
export type HeartbeatReport = Static<typeof HeartbeatReport>;

export interface NodeHeartbeatRecord extends HeartbeatReport {
  agentId: string;
}

export const LOCATION_DIMENSIONS = ['region', 'countryCode', 'faultDomain'] as const;
export type LocationDimension = (typeof LOCATION_DIMENSIONS)[number];

/** By the last heartbeats; deleted at zero. */
export interface LocationRecord {
  dimension: LocationDimension;
  label: string;
  nodes: number;
  validators: number;
}
