/** What the state holds of presence: beacons, heartbeats, locations. */
import type { ChainPosition, JsonObject } from '@netd/protocol';

export interface BeaconRecord {
  agentId: string;
  /** The highest sequence ever published; it survives withdrawal. */
  lastSequence: number;
  /** The metadataHash that the agent's own key has signed last; a session publishes no other. It survives withdrawal. */
  ownMetadataHash: string;
  /** The beacon as it was signed; null after withdrawal. */
  beacon:
    (JsonObject & { capabilities: string[]; protocols: string[]; expiresAtHeight: number }) | null;
  /** Whether `BeaconExpired` has told of it, a block later where many expire at once: compare heights instead. */
  expired: boolean;
  publishedAt: ChainPosition;
}

/** The last report of a node or a validator on what it has verified. */
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
  /** The hash of the signed intent that brought it. */
  transitionHash: string;
}

export interface NodeHeartbeatRecord extends HeartbeatReport {
  agentId: string;
}

export const LOCATION_DIMENSIONS = ['region', 'countryCode', 'faultDomain'] as const;
export type LocationDimension = (typeof LOCATION_DIMENSIONS)[number];

/** How many reported a presence in their last heartbeat; exists while that is not zero. */
export interface LocationRecord {
  dimension: LocationDimension;
  label: string;
  nodes: number;
  validators: number;
}
