/** Suggests requests that an agent could sign: first its obligations, then earnings, then its own records. */
import { handoverAt, hasExpired, type MemoryRecord, type WorkOrderRecord } from '@netd/ledger';
import type { Snapshot } from '@netd/engine/reads';
import { nextActionsFor, type Suggestion } from '../shared/next-actions.ts';
import { EXAMPLE_HASH, type SignedRequest } from '../shared/signed-request.ts';
import { matchWork } from '../work/work-match.ts';
import { acceptSuggestion, stepsOfWorker } from '../work/work-steps.ts';
import { beaconSuggestion, claimsOf, currentCapabilities } from './claims.ts';

const LOOKED_AT = 100;
const SHOWN = 5;
const MATCHES = 10;
const BEACON_HEIGHTS_LEFT = 500;

/**
 * @returns requests that the agent can sign now, the most urgent first; none if it has no active authority
 */
export function agentNextActions(snapshot: Snapshot, agentId: string): SignedRequest[] {
  if (snapshot.get('authority', agentId)?.active !== true) return [];
  return nextActionsFor(snapshot, agentId, [
    ...obligations(snapshot, agentId),
    ...earnings(snapshot, agentId),
    ...improvements(snapshot, agentId),
  ]);
}

function obligations(snapshot: Snapshot, agentId: string): Suggestion[] {
  const { items } = snapshot.list('order', 'orders-by-agent', { value: agentId, limit: LOOKED_AT });
  const due = items
    .toSorted(byDeadline)
    .flatMap((order) => stepsOfWorker(snapshot, order, agentId));
  const of = (action: string): Suggestion[] =>
    due.filter((step) => step.action === action).slice(0, SHOWN);
  return [
    ...of('submitWorkResult'),
    ...acknowledgements(snapshot, agentId),
    ...of('settleVerifiedWork'),
    ...finalization(snapshot, agentId),
  ];
}

function byDeadline(a: WorkOrderRecord, b: WorkOrderRecord): number {
  return (a.deadline?.time ?? 0) - (b.deadline?.time ?? 0);
}

/** Returns suggestions to acknowledge messages, first those that expire first. */
function acknowledgements(snapshot: Snapshot, agentId: string): Suggestion[] {
  const { items } = snapshot.list('message', 'messages-by-agent-and-status', {
    value: `${agentId}:PENDING`,
    limit: LOOKED_AT,
    keep: ({ message }) =>
      message.toAgentId === agentId && !hasExpired(message.expiresAtHeight, snapshot.height + 1),
  });
  return items
    .toSorted((a, b) => a.message.expiresAtHeight - b.message.expiresAtHeight)
    .slice(0, SHOWN)
    .map(({ message: { messageId, fromAgentId, expiresAtHeight } }) => ({
      action: 'acknowledgeAgentMessage',
      payload: { agentId, messageId, status: 'DELIVERED', receiptHash: EXAMPLE_HASH },
      why: `A message of ${fromAgentId} waits for your answer up to height ${expiresAtHeight}.`,
      replace: {
        '/status': 'DELIVERED, or REJECTED',
        '/receiptHash': 'the hash of your own receipt',
      },
    }));
}

function finalization(snapshot: Snapshot, agentId: string): Suggestion[] {
  const handoverId = openHandover(snapshot, snapshot.get('memory', agentId));
  if (handoverId === null) return [];
  return [
    {
      action: 'finalizeMemoryHandover',
      payload: { agentId, handoverId },
      why: 'The target runtime has restored your memory: switch to it.',
    },
  ];
}

function earnings(snapshot: Snapshot, agentId: string): Suggestion[] {
  const capabilities = currentCapabilities(claimsOf(snapshot, agentId));
  const { matches } = matchWork(snapshot, agentId, capabilities, MATCHES);
  const best = matches.find(({ view }) => view.acceptable);
  return best ? [acceptSuggestion(best.order, agentId)] : [];
}

function improvements(snapshot: Snapshot, agentId: string): Suggestion[] {
  const claims = claimsOf(snapshot, agentId);
  const left = (claims.beacon?.expiresAtHeight ?? 0) - snapshot.height;
  const beacon = [beaconSuggestion(snapshot, agentId, claims)];
  const checkpoint = checkpointSuggestion(agentId, snapshot.get('memory', agentId));
  return left < BEACON_HEIGHTS_LEFT ? [...beacon, checkpoint] : [checkpoint, ...beacon];
}

/** Returns null if the handover has expired, even if the ledger has not ended it yet. */
export function openHandover(snapshot: Snapshot, memory: MemoryRecord | undefined): string | null {
  const handoverId = memory?.openHandoverId ?? null;
  const handover = handoverId === null ? undefined : snapshot.get('memory-handover', handoverId);
  return handover && handoverAt(handover, snapshot.height + 1).status !== 'ABORTED'
    ? handoverId
    : null;
}

function checkpointSuggestion(agentId: string, memory: MemoryRecord | undefined): Suggestion {
  const generation = (memory?.generation ?? 0) + 1;
  const replica = (n: number) => ({
    providerId: `storage-${n}`,
    uri: `https://storage-${n}.example/bundle`,
    bundleHash: EXAMPLE_HASH,
  });
  return {
    action: 'commitMemoryCheckpoint',
    payload: {
      agentId,
      checkpointId: `${agentId}-generation-${generation}`,
      generation,
      parentCheckpointHash: memory?.checkpointHash ?? null,
      checkpointHash: EXAMPLE_HASH,
      stateRoot: EXAMPLE_HASH,
      chunksRoot: EXAMPLE_HASH,
      serializer: 'NET-PORTABLE-MEMORY/1',
      encryption: 'AES-256-GCM',
      byteLength: 1,
      chunkCount: 1,
      barrier: { lastInputSequence: 0, lastOutputSequence: 0 },
      storageReplicas: [replica(1), replica(2)],
    },
    why: 'Commit to the next generation of your encrypted memory, so that you can move or be restored.',
    replace: {
      '/checkpointId': 'an id that was not used before',
      '/checkpointHash': 'the hash of the checkpoint',
      '/stateRoot': 'the root of the memory',
      '/chunksRoot': 'the root over its chunks',
      '/encryption': 'AES-256-GCM or XCHACHA20-POLY1305',
      '/byteLength': 'the bytes of the encrypted checkpoint',
      '/chunkCount': 'its chunks',
      '/barrier': 'what the memory has taken in and given out',
      '/storageReplicas': 'its places, with at least two providers',
    },
  };
}
