import type { WorkOrderRecord } from '@netd/ledger';
import {
  Unet,
  ActorId,
  ChainPosition,
  eventHash,
  Hash,
  Height,
  MerkleProofSchema,
  RecordId,
  sha256Hex,
  Timestamp,
} from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';
import type { Snapshot, StoredEvent } from '@netd/engine/reads';
import { FeedEvent } from '../chain/event-page.ts';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { ChainIntegrity, chainIntegrity } from '../shared/integrity.ts';
import { Links, proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';
import { orderAt, WorkOrderView, workOrderView } from './work-order.ts';

/** More events than any order can cause. */
const TIMELINE = 100;

const AuditEvent = exactly({
  ...FeedEvent.properties,
  eventHash: Type.String({
    ...Hash,
    description: 'hash({type, transitionIndex, data}): the leaf of the proof.',
  }),
  transitionHash: Hash,
  block: exactly({
    height: Height,
    timestamp: Timestamp,
    blockHash: Hash,
    certificateHash: Hash,
    eventsRoot: Hash,
  }),
  proof: MerkleProofSchema,
  links: Links,
});

const VoteCounts = exactly({
  accepts: Type.Integer(),
  rejects: Type.Integer(),
  outstanding: Type.Integer({ description: 'Members of the committee who have not voted.' }),
  acceptingGroups: Type.Integer(),
  requiredAccepts: Type.Integer(),
  minIndependentGroups: Type.Integer(),
});

const ReceiptState = exactly({
  state: Type.Enum(['NOT_YET', 'WRITTEN', 'NEVER'], {
    description: 'WRITTEN with the payment; NEVER for an order that ended unpaid.',
  }),
  receipt: orNull(
    exactly({
      orderId: RecordId,
      requesterId: ActorId,
      workerId: ActorId,
      deliverableHash: Hash,
      paid: Unet,
      shares: Type.Array(exactly({ verifierId: ActorId, amount: Unet })),
      settledAt: ChainPosition,
      transitionHash: Hash,
    }),
  ),
  links: Links,
});

export const workAudit = defineDocument({
  name: 'NET-WORK-AUDIT/1',
  route: '/v1/work-orders/:orderId/audit',
  operationId: 'getWorkAudit',
  tag: 'work',
  summary: 'All that happened to one work order, with proofs',
  description: 'The life of one work order, to be checked event by event.',
  path: { orderId: RecordId },
  canMiss: true,
  fingerprint: 'reportHash',
  content: {
    order: WorkOrderView,
    votes: VoteCounts,
    receipt: ReceiptState,
    timeline: exactly({
      events: Type.Array(AuditEvent),
      truncated: Type.Boolean(),
      verify: Type.Array(Type.String()),
    }),
    integrity: ChainIntegrity,
    evidence: evidenceSchema(),
    boundaries: Boundaries,
    reportHash: Hash,
  },
  build: (snapshot, { orderId }) => {
    const order = orderAt(snapshot, orderId);
    return {
      order: workOrderView(order),
      votes: countVotes(order),
      receipt: receiptState(snapshot, order),
      timeline: timelineOf(snapshot, orderId),
      integrity: chainIntegrity(snapshot),
      evidence: evidenceOf([`order/${orderId}`, `work-receipt/${orderId}`, 'commitment/latest']),
      links: {
        order: `/v1/work-orders/${orderId}`,
        brief: `/v1/work-orders/${orderId}/brief`,
        events: `/v1/events?order=${orderId}`,
        requester: `/v1/accounts/${order.requesterId}`,
      },
      boundaries: [
        'A vote says what a committee found, not that the deliverable is good for you.',
        'deliverableHash and evidence are as the worker signed them; the node has not looked at what they name.',
      ],
    };
  },
});

const HOW_TO_VERIFY = [
  'Compute eventHash: SHA-256 of the canonical JSON (RFC 8785) of {type, transitionIndex, data}.',
  'Follow proof from it to eventsRoot (RFC 6962): leaf SHA-256(0x00 ‖ eventHash), inner nodes SHA-256(0x01 ‖ left ‖ right).',
  'Fetch the block: its header names eventsRoot, and the hash of the header is blockHash.',
  'Fetch the certificate and check its votes on blockHash against the validator set of your genesis.',
];

function timelineOf(snapshot: Snapshot, orderId: string): object {
  const found = snapshot.eventsAfter(-1, TIMELINE + 1, `order:${orderId}`);
  const events = found.slice(0, TIMELINE);
  return {
    events: events.map((event) => auditEvent(snapshot, event)),
    truncated: found.length > TIMELINE,
    verify: HOW_TO_VERIFY,
  };
}

function auditEvent(snapshot: Snapshot, event: StoredEvent): object {
  const { height, index, type, transitionIndex, data } = event;
  const block = snapshot.blockAt(height);
  const transition = snapshot.transitionAt(height, transitionIndex);
  if (!block || !transition) throw new Error(`the block of the event ${height}.${index} is gone`);
  const { blockHash, certificateHash } = block.certificate;
  const { timestamp, eventsRoot } = block.header;
  const transitionHash = sha256Hex(transition.text);
  return {
    id: `${height}.${index}`,
    type,
    transitionIndex,
    data,
    eventHash: eventHash({ type, transitionIndex, data }),
    transitionHash,
    block: { height, timestamp, blockHash, certificateHash, eventsRoot },
    proof: snapshot.eventProof(height, index),
    links: {
      block: `/v1/blocks/${height}`,
      transition: `/v1/transitions/${transitionHash}`,
      certificate: `/v1/consensus/certificates/${certificateHash}`,
    },
  };
}

function countVotes(order: WorkOrderRecord): object {
  const { validationPolicy, firstVerification } = order;
  // The second jury may not have been drawn. Show the first until then.
  const isDrawn = (order.verification?.committee.length ?? 0) > 0;
  const verification = isDrawn ? order.verification : (firstVerification ?? order.verification);
  const votes = verification?.votes ?? [];
  const accepts = votes.filter(({ vote }) => vote === 'ACCEPT');
  const { requiredAccepts, minIndependentGroups } = validationPolicy;
  return {
    accepts: accepts.length,
    rejects: votes.length - accepts.length,
    outstanding: (verification?.committee.length ?? 0) - votes.length,
    acceptingGroups: new Set(accepts.map(({ independenceGroup }) => independenceGroup)).size,
    requiredAccepts,
    minIndependentGroups,
  };
}

function receiptState(snapshot: Snapshot, { orderId, status }: WorkOrderRecord): object {
  return {
    state: status === 'PAID' ? 'WRITTEN' : status === 'REJECTED' ? 'NEVER' : 'NOT_YET',
    receipt: snapshot.get('work-receipt', orderId) ?? null,
    links: { proof: proofLink('work-receipt', orderId) },
  };
}
