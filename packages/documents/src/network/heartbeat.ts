import { HeartbeatReport } from '@netd/ledger';
import { RECENT_ROOTS, timestampToMs } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Links } from '../shared/links.ts';

export const Heartbeat = exactly(
  {
    ...HeartbeatReport.properties,
    lag: Type.Integer({
      description: 'Heights between what was observed and the block that took the heartbeat.',
    }),
    age: Type.Integer(),
    recent: Type.Boolean({ description: `Whether age is at most ${RECENT_ROOTS}.` }),
    links: Links,
  },
  {
    title: 'NodeHeartbeat',
    description:
      'What was signed. The state root was the one of the chain; location and endpoint are declared, not checked.',
  },
);

/** Measured in block time. A follower sends three heartbeats in this time. */
const LIVE_MILLISECONDS = 1_800_000;

/** Returns true if the heartbeat is recent by height and by block time. Blocks are rare on an idle chain. */
export function isLive(snapshot: Snapshot, { receivedAt }: HeartbeatReport): boolean {
  if (snapshot.height - receivedAt.height > RECENT_ROOTS) return false;
  return (
    timeOf(snapshot, snapshot.height) - timeOf(snapshot, receivedAt.height) <= LIVE_MILLISECONDS
  );
}

function timeOf(snapshot: Snapshot, height: number): number {
  const block = height === snapshot.height ? snapshot.block : snapshot.blockAt(height);
  return block ? timestampToMs(block.header.timestamp) : -Infinity;
}

export function heartbeatView(
  snapshot: Snapshot,
  report: HeartbeatReport,
): Static<typeof Heartbeat> {
  const { sequence, observedHeight, observedStateRoot, nodeVersion, endpoint } = report;
  const { region, countryCode, faultDomain, receivedAt, transitionHash } = report;
  const age = snapshot.height - receivedAt.height;
  return {
    sequence,
    observedHeight,
    observedStateRoot,
    nodeVersion,
    endpoint,
    region,
    countryCode,
    faultDomain,
    receivedAt,
    lag: receivedAt.height - 1 - observedHeight,
    age,
    recent: age <= RECENT_ROOTS,
    transitionHash,
    links: { signed: `/v1/transitions/${transitionHash}` },
  };
}
