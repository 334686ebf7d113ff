import { ChainPosition, Hash, Height, type JsonObject } from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';

export interface BeaconRecord {
  agentId: string;
  /** Highest sequence so far, kept after a withdrawal. */
  lastSequence: number;
  /** Hash that the agent's own key signed. Sessions must repeat it. Kept after a withdrawal. */
  ownMetadataHash: string;
  beacon:
    (JsonObject & { capabilities: string[]; protocols: string[]; expiresAtHeight: number }) | null;
  /** True once the expiry timer ran, which may be late. Compare heights instead. */
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

export interface LocationRecord {
  dimension: LocationDimension;
  label: string;
  nodes: number;
  validators: number;
}
