import { hasExpired, rulesAt, type AgentBeacon, type HeartbeatReport } from '@netd/ledger';
import { hashValue, RECENT_ROOTS, timestampToMs, type JsonObject } from '@netd/protocol';
import { BEACON_HEIGHTS, REPLICA_CAPABILITY, REPLICA_PROTOCOL } from '@netd/documents';
import type { Snapshot } from '@netd/engine';

/** The operator's unverified description of a follower. */
export interface Declared {
  /** An https URL. Without one, the follower is not offered to others. */
  endpoint?: string | undefined;
  region?: string | undefined;
  /** ISO 3166-1, two capital letters. */
  countryCode?: string | undefined;
  faultDomain?: string | undefined;
}

const HEIGHTS_BETWEEN = RECENT_ROOTS / 4;
/** Block time after which a heartbeat is due on an idle chain, whose heights pass slowly. */
const MILLISECONDS_BETWEEN = 600_000;
/** A beacon is renewed if it is valid for fewer heights. */
const BEACON_RENEWAL = 1_000;

export interface DueAction extends JsonObject {
  action: 'submitNodeHeartbeat' | 'publishBeacon';
  payload: JsonObject;
  /** Set from version 2 of the rules on, according to the verified state. */
  genesisHash?: string;
}

/**
 * Returns the next due action, a beacon before a heartbeat; null if nothing is due.
 * @throws Error if the agent's beacon has another address
 */
export function dueAction(
  snapshot: Snapshot,
  agentId: string,
  { nodeVersion, declared }: { nodeVersion: string; declared: Declared },
): DueAction | null {
  const due =
    (declared.endpoint === undefined ? null : dueBeacon(snapshot, agentId, declared.endpoint)) ??
    dueHeartbeat(snapshot, agentId, nodeVersion, declared);
  const isNamed = rulesAt(snapshot, snapshot.height + 1).atLeast(2);
  const identity = isNamed && snapshot.get('chain', 'identity');
  return due && identity ? { ...due, genesisHash: identity.genesisHash } : due;
}

function dueHeartbeat(
  snapshot: Snapshot,
  agentId: string,
  nodeVersion: string,
  { endpoint, region, countryCode, faultDomain }: Declared,
): DueAction | null {
  const last = snapshot.get('node-heartbeat', agentId);
  const own = { nodeVersion, endpoint, region, countryCode, faultDomain };
  if (last && isFresh(snapshot, last) && saysTheSame(last, own)) return null;
  const members = Object.entries(own).filter(([, value]) => value !== undefined);
  return {
    action: 'submitNodeHeartbeat',
    payload: {
      agentId,
      sequence: (last?.sequence ?? 0) + 1,
      observedHeight: snapshot.height,
      observedStateRoot: snapshot.block.header.stateRoot,
      ...Object.fromEntries(members),
    },
  };
}

function isFresh(snapshot: Snapshot, { receivedAt }: HeartbeatReport): boolean {
  if (snapshot.height - receivedAt.height >= HEIGHTS_BETWEEN) return false;
  if (receivedAt.height < snapshot.history.from) return false;
  const block = snapshot.blockAt(receivedAt.height);
  if (!block) return false;
  const [then, now] = [block, snapshot.block].map(({ header }) => timestampToMs(header.timestamp));
  return Number(now) - Number(then) < MILLISECONDS_BETWEEN;
}

const saysTheSame = (
  last: HeartbeatReport,
  own: Readonly<Record<string, string | undefined>>,
): boolean =>
  Object.entries(own).every(
    ([name, value]) => last[name as keyof HeartbeatReport] === (value ?? null),
  );

function dueBeacon(snapshot: Snapshot, agentId: string, endpoint: string): DueAction | null {
  const record = snapshot.get('beacon', agentId);
  const beacon = record?.beacon as AgentBeacon | null | undefined;
  const isCurrent = beacon && !hasExpired(beacon.expiresAtHeight, snapshot.height);
  if (
    isCurrent &&
    beacon.endpoint !== endpoint &&
    !beacon.capabilities.includes(REPLICA_CAPABILITY)
  ) {
    throw new Error(
      `the beacon of ${agentId} leads to ${beacon.endpoint}: give the follower an agent of its own`,
    );
  }
  const isOffered =
    isCurrent &&
    beacon.endpoint === endpoint &&
    beacon.capabilities.includes(REPLICA_CAPABILITY) &&
    beacon.expiresAtHeight - snapshot.height > BEACON_RENEWAL;
  if (isOffered) return null;
  const offered = isCurrent && beacon.endpoint === endpoint ? beacon : null;
  return {
    action: 'publishBeacon',
    payload: {
      schema: 'NET-AGENT-BEACON/1',
      agentId,
      indexable: true,
      endpoint,
      capabilities: together(REPLICA_CAPABILITY, offered?.capabilities),
      protocols: together(REPLICA_PROTOCOL, offered?.protocols),
      metadataHash: offered?.metadataHash ?? hashValue({ agentId, endpoint }),
      expiresAtHeight: snapshot.height + BEACON_HEIGHTS,
      sequence: (record?.lastSequence ?? 0) + 1,
    },
  };
}

const together = (first: string, others: readonly string[] = []): string[] => [
  first,
  ...others.filter((other) => other !== first),
];
