import { isReached, outstandingVoters, rulesOf, type WorkOrderRecord } from '@netd/ledger';
import { contestBondOf, contestersOf } from '@netd/protocol';
import { meaningOf } from '@netd/protocol/sentences';
import type { Snapshot } from '@netd/engine/reads';
import type { Suggestion } from '../shared/next-actions.ts';
import { EXAMPLE_HASH, YOUR_ID } from '../shared/signed-request.ts';
import { acceptancePayload, isAcceptable, nextBlock } from './opportunity.ts';

/** `{}`. */
const EXAMPLE_BASE64 = 'e30=';

export function stepsOfWorker(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  agentId: string,
): Suggestion[] {
  if (order.workerId !== agentId) return [];
  const further = ['submitWorkResult', 'settleVerifiedWork', 'proveVerdict'];
  return stepsOf(snapshot, order).filter(({ action }) => further.includes(action));
}

/**
 * Returns the order's next steps; none once it has ended.
 * @param reader signer of steps that several agents could sign; null for any reader
 */
export function stepsOf(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  reader: string | null = null,
): Suggestion[] {
  const { orderId, requesterId, workerId } = order;
  const step = (
    action: string,
    actorId: string | null,
    why: string,
    { payload, replace = {} }: Partial<Pick<Suggestion, 'payload' | 'replace'>> = {},
  ): Suggestion => ({
    action,
    payload: { orderId, ...payload },
    why,
    replace,
    ...(actorId === null ? {} : { actorId }),
  });
  const isNew = rulesOf(order).atLeast(2);
  const bond = isNew ? { bond: contestBondOf(order.funding) } : {};
  const disputeStep = (party: string | null): Suggestion =>
    step('openDispute', party, `Before disputableUntil. ${meaningOf('openDispute', bond)}`, {
      payload: { reasonHash: EXAMPLE_HASH, ...bond },
      replace: { '/reasonHash': 'the hash of your reasons' },
    });
  const isOver = order.disputableUntil && isReached(order.disputableUntil, nextBlock(snapshot));
  const proofSteps = provers(order).map((party) =>
    step('proveVerdict', party, meaningOf('proveVerdict'), {
      payload: { acceptance: [EXAMPLE_BASE64], result: [EXAMPLE_BASE64] },
      replace: {
        '/acceptance': 'the NET-ACCEPTANCE/1 of the scope in base64, in pieces of at most 2,048',
        '/result': 'the deliverable in base64, in such pieces',
      },
    }),
  );
  switch (order.phase) {
    case 'OPEN':
      if (!isAcceptable(snapshot, order)) return [];
      return [
        acceptSuggestion(order, order.agentId ?? reader),
        step('cancelWorkOrder', requesterId, meaningOf('cancelWorkOrder')),
      ];
    case 'ACCEPTED':
      if (order.deadline && isReached(order.deadline, nextBlock(snapshot))) return [];
      return [
        step(
          'submitWorkResult',
          workerId,
          'Delivers; evidence is optional, its proofType must be one the order takes.',
          {
            payload: { agentId: workerId, deliverableHash: EXAMPLE_HASH },
            replace: { '/deliverableHash': 'the hash of what you deliver' },
          },
        ),
      ];
    case 'REVIEW':
    case 'REVEAL':
      return outstandingVoters(order)
        .map((verifierId) => {
          const { why, payload, replace } = voteOf(order);
          return step('voteWork', verifierId, why, {
            payload: { verifierId, ...payload },
            replace,
          });
        })
        .concat(proofSteps);
    case 'CONTESTED':
    case 'VOTED_DOWN':
      return [...(isOver ? [] : contestersOf(order).map(disputeStep)), ...proofSteps];
    case 'VERIFIED':
    case 'UNJUDGED':
      return [
        ...(isOver
          ? [step('settleVerifiedWork', null, meaningOf('settleVerifiedWork'))]
          : contestersOf(order).map(disputeStep)),
        ...proofSteps,
      ];
    case 'DISPUTED':
      return proofSteps;
    default:
      return [];
  }
}

/** Returns the parties that a proof could help. */
function provers({ acceptanceHash, phase, requesterId, workerId }: WorkOrderRecord): string[] {
  if (acceptanceHash === undefined || workerId === null) return [];
  if (phase === 'VERIFIED') return [requesterId];
  return phase === 'VOTED_DOWN' ? [workerId] : [requesterId, workerId];
}

function voteOf({
  phase,
  verification,
}: WorkOrderRecord): Required<Pick<Suggestion, 'payload' | 'replace' | 'why'>> {
  if (phase === 'REVIEW' && verification?.commitments) {
    return {
      why: 'The committee waits for your commitment. The vote itself stays sealed until the phase REVEAL.',
      payload: { commitment: EXAMPLE_HASH },
      replace: { '/commitment': 'the hash of your vote and a secret salt, as nextVote makes it' },
    };
  }
  const open = {
    payload: { vote: 'ACCEPT', evidenceHash: EXAMPLE_HASH },
    replace: {
      '/vote': 'ACCEPT or REJECT, as you found it',
      '/evidenceHash': 'the hash of your reasons',
    },
  };
  if (phase === 'REVIEW') return { why: 'The committee waits for your vote.', ...open };
  return {
    why: 'You have committed to a vote: reveal it, else it counts as silence.',
    payload: { ...open.payload, salt: EXAMPLE_HASH },
    replace: {
      ...open.replace,
      '/vote': 'the committed vote',
      '/salt': 'the salt of your commitment',
    },
  };
}

/** @param agentId the agent that may accept; null for any reader */
export function acceptSuggestion(
  order: Pick<WorkOrderRecord, 'orderId' | 'workerBond'>,
  agentId: string | null,
): Suggestion {
  const payload = acceptancePayload(order, agentId ?? YOUR_ID);
  return {
    action: 'acceptWork',
    payload,
    why: `The first valid taker gets the order. ${meaningOf('acceptWork', payload)}`,
    ...(agentId === null ? {} : { actorId: agentId }),
  };
}
