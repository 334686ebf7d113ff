/** How heartbeats of nodes and validators are shown: what was reported, and how old that is. */
import type { HeartbeatReport } from '@netd/ledger';
import { ChainPosition, Hash, Height, RECENT_ROOTS } from '@netd/protocol';
import Type, { type Static } from 'typebox';
import type { Snapshot } from '../store/snapshot.ts';

const orNull = Type.Union([Type.String(), Type.Null()]);

export const Heartbeat = Type.Object(
  {
    sequence: Type.Integer(),
    observedHeight: Height,
    observedStateRoot: Hash,
    nodeVersion: Type.String(),
    endpoint: orNull,
    region: orNull,
    countryCode: orNull,
    faultDomain: orNull,
    receivedAt: ChainPosition,
    lag: Type.Integer({
      description: 'Heights between what was observed and the block that took the heartbeat.',
    }),
    age: Type.Integer({ description: 'Heights since that block.' }),
    recent: Type.Boolean({ description: `Whether age is at most ${RECENT_ROOTS}.` }),
    transitionHash: Hash,
    links: Type.Object(
      { signed: Type.String({ description: 'The heartbeat as signed, with its proof.' }) },
      { additionalProperties: false },
    ),
  },
  {
    additionalProperties: false,
    description:
      'What was signed. The state root was the one of the chain; place and endpoint are declared, not checked.',
  },
);

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
