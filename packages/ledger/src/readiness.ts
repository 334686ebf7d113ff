import {
  genesisHash,
  hashValue,
  MAX_GENESIS_VALIDATORS,
  TOTAL_SUPPLY,
  UNET_PER_NET,
  type Genesis,
  type GenesisPolicy,
} from '@netd/protocol';
import { classAccount } from './accounting-classes.ts';
import { canVoteAt } from './actions/work/committee.ts';
import { rosterOf } from './actions/operators/verifier-roster.ts';
import { validatorRoster } from './actions/operators/validator-roster.ts';
import type { ChainRecord } from './chain-records.ts';
import type { CounterName } from './counter-names.ts';
import { GENESIS_SHARES } from './genesis.ts';
import { rulesAt, type Rules } from './rules.ts';
import type { ReadableState } from './state.ts';
import { votingPowerOf } from './validator-set.ts';

interface ReadinessGate {
  id: string;
  pass: boolean;
  actual: number;
  required: number;
  detail: string;
}

export interface Readiness {
  gates: ReadinessGate[];
  ready: boolean;
  readinessHash: string;
}

type Requirement = Exclude<keyof GenesisPolicy['readiness'], 'delays'>;
type Delay = keyof NonNullable<GenesisPolicy['readiness']['delays']>;

const AT_LEAST: readonly (readonly [id: string, CounterName, Requirement, detail: string])[] = [
  [
    'validators',
    'eligible-validator-candidates',
    'validators',
    'Active validator candidates without a proven fault',
  ],
  [
    'validator-fault-domains',
    'validator-fault-domains',
    'validatorFaultDomains',
    'Fault domains that these have declared',
  ],
  ['verifiers', 'active-verifiers', 'verifiers', 'Active bonded verifiers'],
  ['verifier-groups', 'verifier-groups', 'verifierGroups', 'Independence groups of verifiers'],
  ['auditor-groups', 'auditor-groups', 'auditorGroups', 'Independence groups of active auditors'],
  [
    'runtime-providers',
    'active-runtime-providers',
    'runtimeProviders',
    'Active bonded runtime providers',
  ],
  [
    'provider-fault-domains',
    'provider-fault-domains',
    'providerFaultDomains',
    'Fault domains that runtime providers have declared',
  ],
  ['agents', 'active-agents', 'agents', 'Active agents'],
  [
    'paid-orders',
    'substantial-orders',
    'paidOrders',
    'Work orders of at least minimumFunding verified and paid',
  ],
  [
    'qualified-referrals',
    'qualified-referrals',
    'qualifiedReferrals',
    'Referrals qualified by verified paid work',
  ],
  [
    'follower-nodes',
    'node-heartbeats',
    'followerNodes',
    'Follower nodes that have ever sent a heartbeat with a true state root',
  ],
  [
    'closed-audits',
    'audit-engagements-closed',
    'closedAudits',
    'Audit engagements reported on by auditors and closed',
  ],
  ['releases', 'releases', 'releases', 'Protocol releases on record'],
  [
    'wallet-channels',
    'wallet-channels-attested',
    'walletChannels',
    'Wallet channels whose build auditors of two groups attested',
  ],
];

const NONE: readonly (readonly [id: string, CounterName, detail: string])[] = [
  ['open-critical-findings', 'open-findings-critical', 'Audit findings of severity CRITICAL open'],
  ['open-high-findings', 'open-findings-high', 'Audit findings of severity HIGH open'],
];

/** Delays that mainnet needs, because the sealed genesis takes over the policy. */
const DELAYS: readonly (readonly [
  id: string,
  Delay,
  read: (policy: GenesisPolicy) => { milliseconds: number },
  detail: string,
])[] = [
  ['dispute-window', 'disputeWindow', ({ work }) => work.disputeWindow, 'To dispute verified work'],
  [
    'recovery-delay',
    'recoveryDelay',
    ({ recoveryDelay }) => recoveryDelay,
    'To stop guardians from replacing a key',
  ],
  [
    'voting-period',
    'votingPeriod',
    ({ governance }) => governance.votingPeriod,
    'To vote on a proposal',
  ],
  [
    'timelock',
    'timelock',
    ({ governance }) => governance.timelock,
    'To leave before what was voted',
  ],
  [
    'unbonding-delay',
    'unbondingDelay',
    ({ operators }) => operators.unbondingDelay,
    'In which evidence still reaches a bond',
  ],
];

function withoutVote(state: ReadableState, height: number): Partial<Record<CounterName, number>> {
  const roster = rosterOf(state);
  const voting = roster.filter(({ verifierId }) => canVoteAt(state, verifierId, height));
  const groupsOf = (verifiers: typeof roster): number =>
    new Set(verifiers.map(({ independenceGroup }) => independenceGroup)).size;
  return {
    'active-verifiers': roster.length - voting.length,
    'verifier-groups': groupsOf(roster) - groupsOf(voting),
  };
}

/**
 * Returns the gates to mainnet. Counts are evidence of activity, not proof of independence.
 * @param height of the next block
 */
export function readinessOf(state: ReadableState, height: number): Readiness {
  const { chain, policy } = identityOf(state);
  const counter = (name: CounterName): number => state.get('counter', name) ?? 0;
  const expired = withoutVote(state, height);
  const isLaboratory = chain.laboratory === true;
  const open = chain.open || isLaboratory ? 1 : 0;
  const gates: ReadinessGate[] = [
    {
      id: 'secure-mode',
      pass: open === 0,
      actual: open,
      required: 0,
      detail: isLaboratory
        ? 'The chain is a laboratory, whose time and blocks obey each call; it must not be one.'
        : open === 0
          ? 'The chain takes signed envelopes only.'
          : 'The chain takes unsigned payloads too (open mode); it must not.',
    },
    ...AT_LEAST.map(([id, name, requirement, what]) => {
      const actual = counter(name) - (expired[name] ?? 0);
      const required = policy.readiness[requirement];
      return {
        id,
        pass: actual >= required,
        actual,
        required,
        detail: `${what}: ${actual} of at least ${required}.`,
      };
    }),
    ...NONE.map(([id, name, what]) => {
      const actual = counter(name);
      return {
        id,
        pass: actual === 0,
        actual,
        required: 0,
        detail: `${what}: ${actual}, and there may be none.`,
      };
    }),
    ...DELAYS.flatMap(([id, name, read, what]) => {
      const required = policy.readiness.delays?.[name];
      if (required === undefined) return [];
      const { milliseconds: actual } = read(policy);
      const detail = `${what}: ${actual} of at least ${required} ms.`;
      return [{ id, pass: actual >= required, actual, required, detail }];
    }),
  ];
  return {
    gates,
    ready: gates.every(({ pass }) => pass),
    readinessHash: hashValue(gates),
  };
}

export interface GenesisCandidate {
  genesis: Genesis;
  genesisHash: string;
}

/**
 * Returns null without a validator candidate. The genesis contains no height, balance, stake or root, so that
 * its hash stays the same during the vote. After an activation of rules the vote must be repeated.
 * @param height of the next block
 */
export function genesisCandidate(state: ReadableState, height: number): GenesisCandidate | null {
  const { chain, policy } = identityOf(state);
  const validators = candidateValidators(state, policy);
  if (validators.length === 0) return null;
  const operators = (state.get('operator-roster', 'genesis')?.operatorIds ?? []).map((actorId) => {
    const authority = state.get('authority', actorId);
    if (!authority) throw new Error(`the operator ${actorId} has no authority`);
    return { actorId, publicKey: authority.publicKey };
  });
  const rules = rulesAt(state, height);
  const { owners, power, bonds } = bondsOf(state, policy, { validators, rules });
  const operatorShare = Math.floor(GENESIS_SHARES.operator / operators.length);
  const genesis: Genesis = {
    schema: 'NET-GENESIS/1',
    chainId: successorId(chain),
    epoch: chain.epoch + 1,
    genesisTime: chain.genesisTime,
    open: false,
    ...(rules.atLeast(2) ? { rules: rules.version } : {}),
    operators,
    accounts: [
      ...operators.map(({ actorId }) => ({ accountId: actorId, balance: operatorShare })),
      { accountId: classAccount('reward-pool'), balance: GENESIS_SHARES.rewardPool },
      ...(bonds > 0 ? [{ accountId: classAccount('bonds'), balance: bonds }] : []),
      {
        accountId: classAccount('treasury'),
        balance:
          TOTAL_SUPPLY - GENESIS_SHARES.rewardPool - bonds - operatorShare * operators.length,
      },
    ],
    validators: validators.map((each) => ({ ...each, votingPower: power })),
    ...(owners ? { owners } : {}),
    policy: { ...policy, faucet: { ...policy.faucet, enabled: false } },
    migration: { chainId: chain.chainId, epoch: chain.epoch, genesisHash: chain.genesisHash },
  };
  return { genesis, genesisHash: genesisHash(genesis) };
}

/**
 * Votes of each validator if the chain has no terms. A founder with the usual bond of 1,000 NET gets as many.
 */
const FOUNDER_VOTES = 1_000;

/** Gives every validator the same minimum bond, which is its voting power. */
function bondsOf(
  state: ReadableState,
  policy: GenesisPolicy,
  { validators, rules }: { validators: Genesis['validators']; rules: Rules },
): { owners: Genesis['owners']; power: number; bonds: number } {
  if (!policy.validatorSet) {
    return { owners: undefined, power: rules.atLeast(2) ? FOUNDER_VOTES : 1, bonds: 0 };
  }
  const power = Math.max(1, votingPowerOf(policy.operators.minimumBonds.validator));
  const owners = validators.map(({ validatorId }) => {
    const authority = state.get('authority', validatorId);
    if (!authority) throw new Error(`the validator ${validatorId} has no authority`);
    return { validatorId, publicKey: authority.publicKey };
  });
  return { owners, power, bonds: validators.length * power * UNET_PER_NET };
}

/** Takes the longest bonded candidates, with one vote each: devnet bonds do not measure mainnet stake. */
function candidateValidators(
  state: ReadableState,
  { validatorSet }: GenesisPolicy,
): Genesis['validators'] {
  return validatorRoster(state)
    .slice(0, validatorSet?.maximum ?? MAX_GENESIS_VALIDATORS)
    .map((validatorId) => {
      const candidate = state.get('validator-candidate', validatorId);
      if (!candidate) throw new Error(`the roster names ${validatorId}, which is no candidate`);
      const { consensusPublicKey, faultDomain } = candidate;
      return { validatorId, consensusPublicKey, votingPower: 1, faultDomain };
    });
}

/** Derives the next chain id: `net-mainnet-2` follows `net-devnet-1` of epoch 1. */
export function successorId({ chainId, epoch, genesisHash: hash }: ChainRecord): string {
  const suffix = `-${epoch}`;
  const name = chainId.endsWith(suffix) ? chainId.slice(0, -suffix.length) : chainId;
  const successor = `${name.replace('devnet', 'mainnet')}-${epoch + 1}`;
  return successor.length <= 50 ? successor : `net-${hash.slice(0, 16)}-${epoch + 1}`;
}

function identityOf(state: ReadableState): { chain: ChainRecord; policy: GenesisPolicy } {
  const chain = state.get('chain', 'identity');
  const policy = state.get('policy', 'limits');
  if (!chain || !policy) throw new Error('the state has no genesis');
  return { chain, policy };
}
