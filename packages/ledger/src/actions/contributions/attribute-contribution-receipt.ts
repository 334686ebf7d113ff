import { ActorId, RecordId } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { putContribution, requireContribution } from './contribution.ts';

export const attributeContributionReceipt = defineAction({
  name: 'attributeContributionReceipt',
  summary: 'As the author of a contribution, say which paid work went into it.',
  grant: { AGENT: 'base' },
  payload: exactly({
    agentId: Type.String({ ...ActorId, description: 'The author, who signs.' }),
    contributionId: RecordId,
    orderId: Type.String({
      ...RecordId,
      description: 'A paid order of which it was the worker.',
    }),
  }),
  actor: 'agentId',
  errors: [
    'CONTRIBUTION_UNKNOWN',
    'NOT_CONTRIBUTION_AUTHOR',
    'WORK_RECEIPT_UNKNOWN',
    'NOT_RECEIPT_WORKER',
    'RECEIPT_ALREADY_ATTRIBUTED',
  ],
  events: ['ContributionReceiptAttributed'],

  check({ state }, { agentId, contributionId, orderId }) {
    const contribution = requireContribution(state, contributionId);
    requireThat(
      contribution.authorId === agentId,
      'NOT_CONTRIBUTION_AUTHOR',
      '/payload/contributionId',
    );
    const path = '/payload/orderId';
    const receipt = state.get('work-receipt', orderId);
    requireThat(receipt, 'WORK_RECEIPT_UNKNOWN', path);
    requireThat(receipt.workerId === agentId, 'NOT_RECEIPT_WORKER', path);
    const earlier = state.get('contribution-receipt', orderId);
    requireThat(
      !earlier,
      'RECEIPT_ALREADY_ATTRIBUTED',
      path,
      () => `it belongs to ${earlier?.contributionId}`,
    );
    return { contribution, paid: receipt.paid };
  },

  apply(context, payload, { contribution, paid }) {
    const { state, emit } = context;
    putContribution(state, contribution, { ...contribution, receipts: contribution.receipts + 1 });
    state.put('contribution-receipt', payload.orderId, {
      ...payload,
      paid,
      attributedAt: positionOf(context),
    });
    count(state, 'contribution-receipts', 1);
    emit('ContributionReceiptAttributed', { ...payload, paid });
  },
});
