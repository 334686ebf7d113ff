/** How the orders of tests are judged: two of a committee of three accept. */
import type { PayloadOf } from '../../actions.ts';

export const REVIEW_POLICY: NonNullable<PayloadOf<'createWorkOrder'>['validationPolicy']> = {
  schema: 'NET-WORK-VALIDATION-POLICY/1',
  mode: 'INDEPENDENT_REVIEW',
  proofTypes: ['ARTIFACT_HASH', 'CONSENSUS_REVIEW'],
  requiredAccepts: 2,
  minIndependentGroups: 2,
  committeeSize: 3,
  sampleRateBps: 0,
};
