import type { ChainPosition, JsonObject } from '@netd/protocol';

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

export interface HeartbeatReport {
  sequence: number;
  observedHeight: number;
  observedStateRoot: string;
  nodeVersion: string;
  endpoint: string | null;
  region: string | null;
  countryCode: string | null;
  faultDomain: string | null;
  receivedAt: ChainPosition;
  transitionHash: string;
}

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
