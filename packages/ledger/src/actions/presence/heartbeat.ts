import { Hash, hashValue, Height, HttpsUri, RECENT_ROOTS } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { LOCATION_DIMENSIONS, type HeartbeatReport, type LocationRecord } from './records.ts';
import { requireThat } from '../../rule-error.ts';
import type { ReadableState, WritableState } from '../../state.ts';
import { positionOf, type WriteContext } from '../../transition.ts';

const Label = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));

export const HEARTBEAT_MEMBERS = {
  sequence: Type.Integer({ minimum: 1, description: 'Above the last one sent.' }),
  observedHeight: Height,
  observedStateRoot: Hash,
  nodeVersion: Type.String({ minLength: 1, maxLength: 64 }),
  endpoint: Type.Optional(HttpsUri),
  region: Label,
  countryCode: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1.' })),
  faultDomain: Label,
};
const Heartbeat = Type.Object(HEARTBEAT_MEMBERS);
type Heartbeat = Static<typeof Heartbeat>;

export function requireHeartbeat(
  state: ReadableState,
  last: HeartbeatReport | undefined,
  { sequence, observedHeight, observedStateRoot }: Heartbeat,
): void {
  requireThat(
    !last || sequence > last.sequence,
    'HEARTBEAT_SEQUENCE_STALE',
    '/payload/sequence',
    () => `the last one was ${last?.sequence}`,
  );
  const known = state.get('recent-root', String(observedHeight % RECENT_ROOTS));
  requireThat(
    known?.height === observedHeight && known.stateRoot === observedStateRoot,
    'HEARTBEAT_ROOT_MISMATCH',
    '/payload/observedStateRoot',
  );
}

export function reportOf(
  context: Pick<WriteContext, 'block' | 'index' | 'transitionHash'>,
  payload: Heartbeat,
): HeartbeatReport {
  const { sequence, observedHeight, observedStateRoot, nodeVersion } = payload;
  return {
    countryCode: payload.countryCode ?? null,
    endpoint: payload.endpoint ?? null,
    faultDomain: payload.faultDomain ?? null,
    nodeVersion,
    observedHeight,
    observedStateRoot,
    receivedAt: positionOf(context),
    region: payload.region ?? null,
    sequence,
    transitionHash: context.transitionHash,
  };
}

export function countLocations(
  state: WritableState,
  kind: 'nodes' | 'validators',
  before: HeartbeatReport | undefined,
  after: HeartbeatReport,
): void {
  for (const dimension of LOCATION_DIMENSIONS) {
    const left = before?.[dimension] ?? null;
    const entered = after[dimension];
    if (left === entered) continue;
    if (left !== null) countLocation(state, { dimension, label: left }, { [kind]: -1 });
    if (entered !== null) countLocation(state, { dimension, label: entered }, { [kind]: 1 });
  }
}

function countLocation(
  state: WritableState,
  where: Pick<LocationRecord, 'dimension' | 'label'>,
  { nodes = 0, validators = 0 }: { nodes?: number; validators?: number },
): void {
  // Hash the place, because its label may be any text.
  const id = hashValue(where);
  const location = state.get('location', id) ?? { ...where, nodes: 0, validators: 0 };
  const next = {
    ...location,
    nodes: location.nodes + nodes,
    validators: location.validators + validators,
  };
  if (next.nodes + next.validators === 0) state.delete('location', id);
  else state.put('location', id, next);
}
