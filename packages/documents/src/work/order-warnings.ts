/** Warnings about orders that the ledger nevertheless accepts. */
import { eligibleVerifiers, isSubstantial, rulesOf, type WorkOrderRecord } from '@netd/ledger';
import { netText, verificationFeeOf } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { nextBlock } from './opportunity.ts';

const OrderWarning = exactly(
  {
    code: Type.Enum(['ROSTER_TOO_SMALL', 'FUNDING_DOES_NOT_COUNT'], {
      description:
        'ROSTER_TOO_SMALL: no committee could accept a result now, so the worker would not be paid. FUNDING_DOES_NOT_COUNT: it is paid, but counts in no record and lifts no limit of its worker.',
    }),
    message: Type.String(),
    data: Type.Object(
      {},
      {
        additionalProperties: Type.Integer(),
        description: 'The figures. Amounts are in unet.',
      },
    ),
  },
  { title: 'OrderWarning' },
);

export const OrderWarnings = Type.Array(OrderWarning, {
  description: 'The ledger accepts the order all the same. Empty if there is nothing to say.',
});

/**
 * Counts the verifiers that the next block could draw for the order.
 * @param workerId the future worker; null if unknown
 */
export function eligibleFor(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  workerId: string | null,
): { eligibleVerifiers: number; eligibleGroups: number } {
  const worker = order.workerId ?? workerId;
  const found = eligibleVerifiers(snapshot, {
    parties: [order.requesterId, ...(worker === null ? [] : [worker])],
    bondedBefore: order.acceptedAt?.height ?? Infinity,
    canVoteAtHeight: nextBlock(snapshot).height + order.verifyWithin.heights - 1,
    conditionKinds: order.conditionKinds,
    rules: rulesOf(order),
  });
  const groups = new Set(found.map(({ independenceGroup }) => independenceGroup));
  return { eligibleVerifiers: found.length, eligibleGroups: groups.size };
}

export function orderWarnings(
  snapshot: Snapshot,
  order: WorkOrderRecord,
  workerId: string | null,
): Static<typeof OrderWarnings> {
  const { funding, verificationFee, validationPolicy } = order;
  const warnings: Static<typeof OrderWarnings> = [];
  const eligible = eligibleFor(snapshot, order, workerId);
  const { requiredAccepts } = validationPolicy;
  if (order.jury === undefined && eligible.eligibleGroups < requiredAccepts) {
    warnings.push({
      code: 'ROSTER_TOO_SMALL',
      message: `The order needs ${requiredAccepts} accepts from as many independence groups, and verifiers of ${eligible.eligibleGroups} can be drawn now. Until more join, no result can be accepted and no worker paid.`,
      data: { requiredAccepts, ...eligible },
    });
  }
  const policy = snapshot.get('policy', 'limits')?.work;
  if (policy && !isSubstantial(order, policy)) {
    const { minimumFunding } = policy;
    const minimumFee = verificationFeeOf(minimumFunding, policy.verificationFeeBps);
    warnings.push({
      code: 'FUNDING_DOES_NOT_COUNT',
      message: `The order can be done and paid, but ${netText(funding)} and a fee of ${netText(verificationFee)} are too little to earn its worker a rank. For a rank, pay at least ${netText(minimumFunding)} and a fee of ${netText(minimumFee)}.`,
      data: { funding, verificationFee, minimumFunding, minimumFee },
    });
  }
  return warnings;
}
