import { worthOf, type ValidatorCandidateRecord } from '@netd/ledger';
import {
  Unet,
  ActorId,
  ChainPosition,
  Hash,
  Height,
  ProtectiveDelay,
  PublicKeyPem,
} from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { Heartbeat, heartbeatView } from '../network/heartbeat.ts';
import { Links, proofLink } from '../shared/links.ts';
import { PAGE_CONTENT, PAGE_QUERY, pageOf } from '../shared/page.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { ACTOR_QUERY, nextActionsFor, readerOf } from '../shared/next-actions.ts';
import { NextActions, type SignedRequest } from '../shared/signed-request.ts';
import { Deadline, deadlineView } from '../shared/deadline.ts';

const LISTED = 100;

const Candidate = exactly(
  {
    validatorId: ActorId,
    status: Type.Enum(['active', 'revoked']),
    takesDelegations: Type.Boolean(),
    stake: Unet,
    selfBond: Unet,
    delegated: Unet,
    shares: Type.Integer({
      ...Unet,
      description: 'Of all delegators; one is worth delegated/shares unet.',
    }),
    delegators: Type.Integer(),
    unbonding: Unet,
    faults: Type.Integer(),
    consensusPublicKey: PublicKeyPem,
    faultDomain: Type.String(),
    installedAt: ChainPosition,
    rewardableFrom: orNull(Deadline, 'When a heartbeat earns the next reward; null if none can.'),
    heartbeat: orNull(Heartbeat),
    links: Links,
  },
  { title: 'ValidatorCandidate' },
);

const StakingRules = exactly(
  {
    minimumDelegation: Unet,
    unbondingDelay: ProtectiveDelay,
    rewardInterval: ProtectiveDelay,
    rewardPpm: Type.Integer(),
    maximumReward: Unet,
    slashedPerFault: Type.Literal('1/10'),
  },
  { title: 'StakingRules', description: 'As genesis sets them.' },
);

export const validatorRegistry = defineDocument({
  name: 'NET-VALIDATOR-REGISTRY/1',
  route: '/v1/validators',
  operationId: 'listValidators',
  tag: 'consensus',
  summary: 'Validator candidates with their stake and last heartbeat',
  description:
    'Bonded validator candidates. The set that certifies blocks is in /v1/consensus/validator-set: drawn from these after each term where genesis has policy.validatorSet, else that of genesis.',
  query: { status: Type.Optional(Type.Enum(['active', 'revoked'])), ...ACTOR_QUERY, ...PAGE_QUERY },
  content: {
    totals: exactly({
      active: Type.Integer(),
      delegations: Type.Integer(),
      delegators: Type.Integer(),
      unbondings: Type.Integer(),
      stake: Unet,
      faults: Type.Integer(),
    }),
    rules: StakingRules,
    validators: Type.Array(Candidate),
    ...PAGE_CONTENT,
    evidence: evidenceSchema(),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { status, actorId, ...page }) => {
    const { items, total, nextCursor } = pageOf(snapshot, 'validator-candidate', {
      list: status === 'active' ? 'validator-candidates-active' : 'validator-candidates',
      filters: { status: status ?? null },
      page,
      total: status === 'active' ? counterOf(snapshot, 'active-validator-candidates') : null,
      ...(status === 'revoked' ? { keep: ({ active }) => !active } : {}),
    });
    const validators = items.map((candidate) => candidateView(snapshot, candidate));
    return {
      totals: {
        active: counterOf(snapshot, 'active-validator-candidates'),
        delegations: counterOf(snapshot, 'delegations'),
        delegators: counterOf(snapshot, 'delegators'),
        unbondings: counterOf(snapshot, 'unbondings'),
        stake: snapshot.get('supply', 'stake') ?? 0,
        faults: counterOf(snapshot, 'validator-faults'),
      },
      rules: stakingRules(snapshot),
      validators,
      total,
      nextCursor,
      evidence: evidenceOf([
        'counter/active-validator-candidates',
        'supply/stake',
        'policy/limits',
      ]),
      nextActions: delegateActions(
        snapshot,
        readerOf(snapshot, actorId),
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
  description:
    'One validator candidate with its largest delegators, what it was slashed for, and whether it signs the blocks of its sets.',
  path: { validatorId: ActorId },
  query: ACTOR_QUERY,
  canMiss: true,
  content: {
    validator: Candidate,
    rules: StakingRules,
    topDelegators: Type.Array(exactly({ actorId: ActorId, shares: Unet, worth: Unet }), {
      description: `The largest ${LISTED} at most, largest first.`,
    }),
    faults: Type.Array(
      exactly({
        height: Height,
        blockHashes: Type.Array(Hash),
        slashedBond: Unet,
        slashedStake: Unet,
        submittedAt: ChainPosition,
      }),
      {
        description: `The latest ${LISTED} at most that were submitted as evidence: two blocks certified at a height.`,
      },
    ),
    doubleSigning: orNull(
      exactly(
        {
          kind: Type.String({ description: 'DUPLICATE_VOTE or LIGHT_CLIENT_ATTACK.' }),
          engineHeight: Height,
          slashedBond: Unet,
          slashedStake: Unet,
          slashedAt: ChainPosition,
        },
        { title: 'DoubleSigning' },
      ),
      'A fault that the consensus engine has shown, by its own height; null if there is none. It is slashed once.',
    ),
    liveness: orNull(
      exactly(
        {
          missed: Type.Integer({ description: 'Blocks without its vote in the window.' }),
          windowFrom: Height,
          lastMissed: Height,
          jailings: Type.Integer(),
          jailedUntil: orNull(
            Deadline,
            'When unjailValidator is possible; null if it is not jailed.',
          ),
        },
        { title: 'ValidatorLiveness' },
      ),
      'Null if it has missed no block yet.',
    ),
    evidence: evidenceSchema(),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { validatorId, actorId }) => {
    const candidate = snapshot.get('validator-candidate', validatorId);
    if (!candidate) throw new ApiError('VALIDATOR_NOT_FOUND');
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
        .map(({ actorId: delegatorId, positions }) => {
          const held = positions.find((position) => position.validatorId === validatorId);
          const shares = held?.shares ?? 0;
          return { actorId: delegatorId, shares, worth: worthOf(candidate, shares) };
        }),
      faults: faults.items.map(({ validatorId: _, ...fault }) => fault),
      doubleSigning: doubleSigningView(snapshot, validatorId),
      liveness: livenessView(snapshot, validatorId),
      evidence: evidenceOf([
        `validator-candidate/${validatorId}`,
        `validator-heartbeat/${validatorId}`,
        `double-signing/${validatorId}`,
        `validator-liveness/${validatorId}`,
      ]),
      nextActions: delegateActions(
        snapshot,
        readerOf(snapshot, actorId),
        view.takesDelegations ? validatorId : undefined,
      ),
      boundaries: STAKING_BOUNDARIES,
    };
  },
});

const STAKING_BOUNDARIES = [
  'What you delegate shares the fate of the candidate: evidence takes a tenth for each fault, also while your stake is on its way back.',
  'No reward is promised: it comes from a finite pool, with heartbeats, as the rules above say.',
];

function candidateView(
  snapshot: Snapshot,
  candidate: ValidatorCandidateRecord,
): Static<typeof Candidate> {
  const { actorId: validatorId, active, faults, selfBond, delegated, nextRewardAt } = candidate;
  const report = snapshot.get('validator-heartbeat', validatorId);
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
    rewardableFrom: takesDelegations && nextRewardAt ? deadlineView(nextRewardAt) : null,
    heartbeat: report ? heartbeatView(snapshot, report) : null,
    links: {
      self: `/v1/validators/${validatorId}`,
      account: `/v1/accounts/${validatorId}`,
      proof: proofLink('validator-candidate', validatorId),
      events: `/v1/events?agent=${validatorId}`,
    },
  };
}

function doubleSigningView(snapshot: Snapshot, validatorId: string) {
  const record = snapshot.get('double-signing', validatorId);
  if (!record) return null;
  const { validatorId: _, ...fault } = record;
  return fault;
}

function livenessView(snapshot: Snapshot, validatorId: string) {
  const record = snapshot.get('validator-liveness', validatorId);
  if (!record) return null;
  const { validatorId: _, jailedUntil, ...rest } = record;
  return { ...rest, jailedUntil: jailedUntil && deadlineView(jailedUntil) };
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

function delegateActions(
  snapshot: Snapshot,
  reader: string | null,
  validatorId: string | undefined,
): SignedRequest[] {
  if (validatorId === undefined) return [];
  const amount = stakingRules(snapshot).minimumDelegation;
  return nextActionsFor(snapshot, reader, [
    {
      action: 'delegate',
      payload: { validatorId, amount },
      why: 'Puts NET at stake with this candidate.',
      replace: { '/amount': 'how much, in unet' },
    },
  ]);
}
