import type { ChainPosition, JsonObject } from '@netd/protocol';

export interface BeaconRecord {
  agentId: string;
  /** The highest sequence ever published. Survives withdrawal. */
  lastSequence: number;
  /**
   * The metadataHash that the agent's own key signed last; sessions may not publish another. Survives
   * withdrawal.
   */
  ownMetadataHash: string;
  /** As it was signed; null after withdrawal. */
  beacon:
    (JsonObject & { capabilities: string[]; protocols: string[]; expiresAtHeight: number }) | null;
  /** True once `BeaconExpired` was emitted, perhaps blocks after the last height. Compare heights instead. */
  expired: boolean;
  publishedAt: ChainPosition;
}

/** The last report of a node or validator. */
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
  /** The hash of its intent. */
  transitionHash: string;
}

export interface NodeHeartbeatRecord extends HeartbeatReport {
  agentId: string;
}

export const LOCATION_DIMENSIONS = ['region', 'countryCode', 'faultDomain'] as const;
export type LocationDimension = (typeof LOCATION_DIMENSIONS)[number];

/** How many named this location in their last heartbeat; deleted at zero. */
export interface LocationRecord {
  dimension: LocationDimension;
  label: string;
  nodes: number;
  validators: number;
}
