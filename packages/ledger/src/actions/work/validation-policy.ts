import { Type, type Static } from '@netd/protocol/type';

export const MAX_COMMITTEE = 15;

export const WorkValidationPolicy = Type.Object(
  {
    schema: Type.Literal('NET-WORK-VALIDATION-POLICY/1'),
    mode: Type.Enum([
      'INDEPENDENT_REVIEW',
      'DETERMINISTIC_REPLAY',
      'ZK_PROOF',
      'TEE_ATTESTATION',
      'HYBRID',
    ]),
    proofTypes: Type.Array(
      Type.Enum([
        'ARTIFACT_HASH',
        'DETERMINISTIC_REPLAY',
        'ZK_PROOF',
        'TEE_ATTESTATION',
        'CONSENSUS_REVIEW',
      ]),
      { minItems: 1, maxItems: 5, uniqueItems: true, description: 'Evidence the order takes.' },
    ),
    requiredAccepts: Type.Integer({ minimum: 2, maximum: 7 }),
    minIndependentGroups: Type.Integer({
      minimum: 1,
      maximum: 7,
      description: 'Independence groups the accepting votes must come from.',
    }),
    committeeSize: Type.Integer({ minimum: 2, maximum: MAX_COMMITTEE }),
    sampleRateBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Chance, in 1/10,000, that verifiers are asked to run the work again.',
    }),
  },
  { additionalProperties: false, description: 'How the result is verified.' },
);
export type WorkValidationPolicy = Static<typeof WorkValidationPolicy>;

export const DEFAULT_VALIDATION_POLICY: WorkValidationPolicy = {
  committeeSize: 3,
  minIndependentGroups: 2,
  mode: 'INDEPENDENT_REVIEW',
  proofTypes: ['ARTIFACT_HASH', 'CONSENSUS_REVIEW'],
  requiredAccepts: 2,
  sampleRateBps: 1_000,
  schema: 'NET-WORK-VALIDATION-POLICY/1',
};

export const WORK_VOTES = ['ACCEPT', 'REJECT', 'UNJUDGEABLE'] as const;
export const MEASURED_ANSWERS = ['ACCEPT', 'REJECT'] as const;
