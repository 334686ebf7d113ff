/** NET-VALIDATOR-REGISTRY/1 and NET-VALIDATOR-DETAIL/1: validator candidates, their stake, faults and heartbeats. */
import { worthOf, type ValidatorCandidateRecord } from '@netd/ledger';
import {
  ActorId,
  ChainPosition,
  Hash,
  Height,
  ProtectiveDelay,
  PublicKeyPem,
} from '@netd/protocol';
import Type, { type Static } from 'typebox';
import { Refusal } from '../chain/refusal.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { Boundaries, READ_BOUNDARIES } from './boundaries.ts';
import { evidenceOf, evidenceSchema } from './evidence.ts';
import { Heartbeat, heartbeatView } from './heartbeat.ts';
import { defineDocument, PAGE_CONTENT, PAGE_QUERY, pageOf } from './read-document.ts';
import { intentRequest, SignedRequest } from './signed-request.ts';

/** Delegators and faults named in the detail of a candidate. */
const LISTED = 100;

const closed = { additionalProperties: false };
const Unet = Type.Integer({ description: 'In unet.' });
export const Moment = Type.Object(
  { height: Height, time: Type.Integer({ description: 'Header time in milliseconds.' }) },
  { ...closed, description: 'Both must have passed.' },
);

const Candidate = Type.Object(
  {
    validatorId: ActorId,
    status: Type.Enum(['active', 'revoked']),
    takesDelegations: Type.Boolean({ description: 'Active, and without a fault.' }),
    stake: Type.Integer({ description: 'Bond and delegations together, in unet.' }),
    selfBond: Unet,
    delegated: Unet,
    shares: Type.Integer({ description: 'Of all delegators; one is worth delegated/shares unet.' }),
    delegators: Type.Integer(),
    unbonding: Type.Integer({ description: 'On its way back, before slashing, in unet.' }),
    faults: Type.Integer({ description: 'Proven equivocations.' }),
    consensusPublicKey: PublicKeyPem,
    faultDomain: Type.String(),
    installedAt: ChainPosition,
    rewardableFrom: Type.Union([Moment, Type.Null()], {
      description: 'When a heartbeat earns the next reward; null where none can.',
    }),
    heartbeat: Type.Union([Heartbeat, Type.Null()]),
    links: Type.Object(
      { self: Type.String(), account: Type.String(), proof: Type.String(), events: Type.String() },
      closed,
    ),
  },
  closed,
);

const StakingRules = Type.Object(
  {
    minimumDelegation: Unet,
    unbondingDelay: ProtectiveDelay,
    rewardInterval: ProtectiveDelay,
    rewardPpm: Type.Integer({ description: 'One reward, in millionths of the stake.' }),
    maximumReward: Unet,
    slashedPerFault: Type.Literal('1/10'),
  },
  { ...closed, description: 'As genesis sets them.' },
);

export const validatorRegistry = defineDocument({
  name: 'NET-VALIDATOR-REGISTRY/1',
  route: '/v1/validators',
  operationId: 'listValidators',
  tag: 'consensus',
  summary: 'Validator candidates with their stake and last heartbeat',
  description: 'Bonded validator candidates. The set that certifies blocks is that of genesis.',
  query: { status: Type.Optional(Type.Enum(['active', 'revoked'])), ...PAGE_QUERY },
  content: {
    totals: Type.Object(
      {
        active: Type.Integer(),
        delegations: Type.Integer(),
        delegators: Type.Integer(),
        unbondings: Type.Integer(),
        stake: Type.Integer({ description: 'Delegated or unbonding, in unet.' }),
        faults: Type.Integer(),
      },
      { ...closed, description: 'Whatever the filter.' },
    ),
    rules: StakingRules,
    validators: Type.Array(Candidate, { description: 'The newest first.' }),
    ...PAGE_CONTENT,
    evidence: evidenceSchema(),
    nextActions: Type.Array(SignedRequest, {
      description: 'How to delegate to the first that takes delegations.',
    }),
    links: Type.Object(
      { validatorSet: Type.String(), apply: Type.String(), tokenomics: Type.String() },
      closed,
    ),
    boundaries: Boundaries,
  },
  build: (snapshot, { status, ...page }) => {
    const { items, nextCursor } = pageOf(snapshot, 'validator-candidate', {
      list: status === 'active' ? 'validator-candidates-active' : 'validator-candidates',
      filters: { status: status ?? null },
      page,
      ...(status === 'revoked' ? { keep: ({ active }) => !active } : {}),
    });
    const counted = (name: Parameters<typeof snapshot.get<'counter'>>[1]): number =>
      snapshot.get('counter', name) ?? 0;
    const validators = items.map((candidate) => candidateView(snapshot, candidate));
    return {
      totals: {
        active: counted('active-validator-candidates'),
        delegations: counted('delegations'),
        delegators: counted('delegators'),
        unbondings: counted('unbondings'),
        stake: snapshot.get('supply', 'stake') ?? 0,
        faults: counted('validator-faults'),
      },
      rules: stakingRules(snapshot),
      validators,
      nextCursor,
      evidence: evidenceOf(snapshot, [
        'counter/active-validator-candidates',
        'supply/stake',
        'policy/limits',
      ]),
      nextActions: delegateRequests(
        snapshot,
        validators.find(({ takesDelegations }) => takesDelegations)?.validatorId,
      ),
      links: {
        validatorSet: '/v1/consensus/validator-set',
        apply: '/v1/operator-applications',
        tokenomics: '/v1/tokenomics',
      },
      boundaries: STAKING_BOUNDARIES,
    };
  },
});

export const validatorDetail = defineDocument({
  name: 'NET-VALIDATOR-DETAIL/1',
  route: '/v1/validators/:validatorId',
  operationId: 'getValidator',
  tag: 'consensus',
  summary: 'One validator candidate: stake, delegators, faults, heartbeat',
  description: 'One validator candidate with its largest delegators and its faults.',
  path: { validatorId: ActorId },
  canMiss: true,
  content: {
    validator: Candidate,
    rules: StakingRules,
    topDelegators: Type.Array(
      Type.Object({ actorId: ActorId, shares: Type.Integer(), worth: Unet }, closed),
      { description: `The largest ${LISTED} at most, largest first.` },
    ),
    faults: Type.Array(
      Type.Object(
        {
          height: Height,
          blockHashes: Type.Array(Hash),
          slashedBond: Unet,
          slashedStake: Unet,
          submittedAt: ChainPosition,
        },
        closed,
      ),
      { description: `The latest ${LISTED} at most.` },
    ),
    evidence: evidenceSchema(),
    nextActions: Type.Array(SignedRequest),
    boundaries: Boundaries,
  },
  build: (snapshot, { validatorId }) => {
    const candidate = snapshot.get('validator-candidate', validatorId);
    if (!candidate) throw new Refusal('VALIDATOR_NOT_FOUND');
    const view = candidateView(snapshot, candidate);
    const faults = snapshot.list('validator-fault', 'validator-faults-by-validator', {
      value: validatorId,
      limit: LISTED,
    });
    return {
      validator: view,
      rules: stakingRules(snapshot),
      topDelegators: snapshot
        .top('delegator', 'delegators', { value: validatorId, limit: LISTED })
        .map(({ actorId, positions }) => {
          const held = positions.find((position) => position.validatorId === validatorId);
          const shares = held?.shares ?? 0;
          return { actorId, shares, worth: worthOf(candidate, shares) };
        }),
      faults: faults.items.map(({ validatorId: _, ...fault }) => fault),
      evidence: evidenceOf(snapshot, [
        `validator-candidate/${validatorId}`,
        `validator-heartbeat/${validatorId}`,
      ]),
      nextActions: delegateRequests(snapshot, view.takesDelegations ? validatorId : undefined),
      boundaries: STAKING_BOUNDARIES,
    };
  },
});

const STAKING_BOUNDARIES = [
  ...READ_BOUNDARIES,
  'What you delegate shares the fate of the candidate: evidence takes a tenth for each fault, also while your stake is on its way back.',
  'No reward is promised: it comes from a finite pool, with heartbeats, as the rules above say.',
];

function candidateView(
  snapshot: Snapshot,
  candidate: ValidatorCandidateRecord,
): Static<typeof Candidate> {
  const { actorId: validatorId, active, faults, selfBond, delegated, rewardedAt } = candidate;
  const report = snapshot.get('validator-heartbeat', validatorId);
  const { heights, milliseconds } = stakingRules(snapshot).rewardInterval;
  const takesDelegations = active && faults === 0;
  return {
    validatorId,
    status: active ? 'active' : 'revoked',
    takesDelegations,
    stake: selfBond + delegated,
    selfBond,
    delegated,
    shares: candidate.shares,
    delegators: candidate.delegators,
    unbonding: candidate.unbonding,
    faults,
    consensusPublicKey: candidate.consensusPublicKey,
    faultDomain: candidate.faultDomain,
    installedAt: candidate.installedAt,
    rewardableFrom:
      takesDelegations && rewardedAt
        ? { height: rewardedAt.height + heights, time: rewardedAt.time + milliseconds }
        : null,
    heartbeat: report ? heartbeatView(snapshot, report) : null,
    links: {
      self: `/v1/validators/${validatorId}`,
      account: `/v1/accounts/${validatorId}`,
      proof: `/v1/state/proof?key=validator-candidate/${validatorId}`,
      events: `/v1/events?agent=${validatorId}`,
    },
  };
}

function stakingRules(snapshot: Snapshot): Static<typeof StakingRules> {
  const policy = snapshot.get('policy', 'limits');
  if (!policy) throw new Error('the state has no genesis');
  return {
    ...policy.staking,
    unbondingDelay: policy.operators.unbondingDelay,
    slashedPerFault: '1/10',
  };
}

function delegateRequests(snapshot: Snapshot, validatorId: string | undefined): SignedRequest[] {
  if (validatorId === undefined) return [];
  const amount = stakingRules(snapshot).minimumDelegation;
  return [
    intentRequest(
      snapshot,
      'delegate',
      { validatorId, amount },
      {
        why: 'Puts NET at stake with this candidate. Agents extend their capabilities by delegate and undelegate first.',
        replace: { '/amount': 'how much, in unet' },
      },
    ),
  ];
}
