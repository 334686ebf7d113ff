import {
  ACCOUNTING_CLASSES,
  CLASS_NAMES,
  CUMULATIVE_TOTAL_NAMES,
  CUMULATIVE_TOTALS,
  faucetAllowance,
  faucetDay,
  faucetLimitsOf,
  leftToday,
  workStatsOf,
  type AccountingClass,
  type CumulativeTotalName,
} from '@netd/ledger';
import {
  Unet,
  GenesisPolicy,
  MILLISECONDS_PER_DAY,
  timestampToMs,
  TOTAL_SUPPLY,
} from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { counterOf } from '../shared/counter.ts';
import { defineDocument } from '../shared/read-document.ts';
import { ACTOR_QUERY, nextActionsFor, readerOf } from '../shared/next-actions.ts';
import { NextActions, type SignedRequest } from '../shared/signed-request.ts';

const { faucet: FaucetPolicy, work: WorkPolicy, staking: StakingPolicy } = GenesisPolicy.properties;

export const tokenomics = defineDocument({
  name: 'NET-TOKENOMICS/1',
  route: '/v1/tokenomics',
  operationId: 'getTokenomics',
  tag: 'accounts',
  summary:
    'Supply by class, issuance, faucet, fees, staking, rewards, slashing and cumulative totals',
  description: 'All NET, the rules by which it moves, and its movements.',
  query: ACTOR_QUERY,
  content: {
    supply: exactly({
      total: Unet,
      classes: Type.Array(
        exactly({
          class: Type.Enum([...CLASS_NAMES]),
          amount: Unet,
          ppm: Type.Integer({ description: 'Of the whole; the shares sum to 1,000,000.' }),
          description: Type.String(),
        }),
        { description: 'Every unet counts in exactly one class.' },
      ),
      classesSum: Unet,
      conserved: Type.Boolean(),
    }),
    issuance: exactly({
      byRule: exactly(
        {
          minted: Type.Literal(0),
          burned: Type.Literal(0),
          inflationPpm: Type.Literal(0),
        },
        { description: 'What the rule says for good; nothing is counted here.' },
      ),
      rule: Type.String(),
    }),
    faucet: exactly({
      policy: FaucetPolicy,
      left: Unet,
      paid: Unet,
      leftToday: Type.Integer({
        ...Unet,
        description: 'Of the UTC day of the newest block, and not more than is left.',
      }),
      leftTodayAgain: Type.Integer({
        description: 'The same for accounts that have drawn before: the rest is kept for others.',
      }),
    }),
    fees: exactly({
      byRule: exactly(
        { perTransition: Type.Literal(0), work: WorkPolicy },
        { description: 'What the rules ask for; the rest of fees is counted.' },
      ),
      escrow: Unet,
      paidToWorkers: Unet,
      paidToVerifiers: Unet,
    }),
    staking: exactly({
      policy: StakingPolicy,
      bonds: Unet,
      stake: Unet,
      validatorCandidates: Type.Integer(),
      delegations: Type.Integer(),
      delegators: Type.Integer(),
      unbondings: Type.Integer(),
      delegated: Unet,
      released: Unet,
    }),
    rewards: exactly({
      pool: Unet,
      funded: Unet,
      toValidators: Unet,
      toDelegators: Unet,
      rule: Type.String(),
    }),
    slashing: exactly({ taken: Unet, validatorFaults: Type.Integer(), rule: Type.String() }),
    cumulativeTotals: Type.Array(
      exactly({ name: Type.String(), amount: Unet, description: Type.String() }),
    ),
    evidence: evidenceSchema(),
    nextActions: NextActions,
    boundaries: Boundaries,
  },
  build: (snapshot, { actorId }) => {
    const policy = snapshot.get('policy', 'limits');
    if (!policy) throw new Error('the state has no genesis');
    const held = (name: AccountingClass): number => snapshot.get('supply', name) ?? 0;
    const total = (name: CumulativeTotalName): number =>
      snapshot.get('cumulative-total', name) ?? 0;
    const classesSum = CLASS_NAMES.reduce((sum, name) => sum + held(name), 0);
    const day = Math.floor(timestampToMs(snapshot.block.header.timestamp) / MILLISECONDS_PER_DAY);
    const today = faucetDay(snapshot.get('faucet-day', 'today'), day);
    const left = (again: boolean): number =>
      policy.faucet.enabled ? Math.min(held('faucet'), leftToday(policy.faucet, today, again)) : 0;
    const shares = sharesOf(CLASS_NAMES.map(held), 1_000_000);
    return {
      supply: {
        total: TOTAL_SUPPLY,
        classes: CLASS_NAMES.map((name, index) => ({
          class: name,
          amount: held(name),
          ppm: shares[index] ?? 0,
          description: ACCOUNTING_CLASSES[name],
        })),
        classesSum,
        conserved: classesSum === TOTAL_SUPPLY,
      },
      issuance: {
        byRule: { minted: 0, burned: 0, inflationPpm: 0 },
        rule: 'The whole supply exists from genesis. No rule mints or burns NET; every block checks that the classes still sum to it.',
      },
      faucet: {
        policy: policy.faucet,
        left: held('faucet'),
        paid: total('faucet'),
        leftToday: left(false),
        leftTodayAgain: left(true),
      },
      fees: {
        byRule: { perTransition: 0, work: policy.work },
        escrow: held('escrow'),
        paidToWorkers: total('work-paid'),
        paidToVerifiers: total('verification-fees'),
      },
      staking: {
        policy: policy.staking,
        bonds: held('bonds'),
        stake: held('stake'),
        validatorCandidates: counterOf(snapshot, 'active-validator-candidates'),
        delegations: counterOf(snapshot, 'delegations'),
        delegators: counterOf(snapshot, 'delegators'),
        unbondings: counterOf(snapshot, 'unbondings'),
        delegated: total('delegated'),
        released: total('released'),
      },
      rewards: {
        pool: held('reward-pool'),
        funded: total('reward-funding'),
        toValidators: total('validator-rewards'),
        toDelegators: total('delegator-rewards'),
        rule: 'A validator candidate without faults earns with a heartbeat when the reward interval has passed: rewardPpm of bond and delegations, at most maximumReward, at most what the pool holds, shared in proportion.',
      },
      slashing: {
        taken: total('slashed'),
        validatorFaults: counterOf(snapshot, 'validator-faults'),
        rule: 'Two signed votes for one height cost a validator candidate and its delegators a tenth, evidence against a verifier a tenth of its bond; all of it goes to the reward pool.',
      },
      cumulativeTotals: CUMULATIVE_TOTAL_NAMES.map((name) => ({
        name,
        amount: total(name),
        description: CUMULATIVE_TOTALS[name],
      })),
      evidence: evidenceOf([...CLASS_NAMES.map((name) => `supply/${name}`), 'policy/limits']),
      nextActions: faucetActions(snapshot, readerOf(snapshot, actorId)),
      links: {
        token: '/v1/token',
        validators: '/v1/validators',
        policy: '/v1/genesis',
        rewards: '/v1/events?type=ValidatorRewarded',
        slashes: '/v1/events?type=ValidatorSlashed',
      },
      boundaries: ['NET of a devnet has no monetary value, and nothing here promises any.'],
    };
  },
});

/** Returns rounded shares that sum to the whole. Rounding favors the largest remainders. */
export function sharesOf(amounts: readonly number[], whole: number): number[] {
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const exact = amounts.map(
    (amount) => (BigInt(amount) * BigInt(whole) * 1_000_000n) / BigInt(sum),
  );
  const shares = exact.map((share) => Number(share / 1_000_000n));
  const left = whole - shares.reduce((total, share) => total + share, 0);
  const byRest = exact
    .map((share, index) => ({ index, rest: share % 1_000_000n }))
    .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1));
  const rounded = new Set(byRest.slice(0, left).map(({ index }) => index));
  return shares.map((share, index) => share + (rounded.has(index) ? 1 : 0));
}

function faucetActions(snapshot: Snapshot, reader: string | null): SignedRequest[] {
  const policy = snapshot.get('policy', 'limits');
  const authority = reader === null ? undefined : snapshot.get('authority', reader);
  if (!policy?.faucet.enabled) return [];
  const faucet = authority ? faucetLimitsOf(snapshot, policy, authority) : policy.faucet;
  const received = reader === null ? 0 : (snapshot.get('account', reader)?.faucetReceived ?? 0);
  const orders = reader === null ? 0 : workStatsOf(snapshot, reader).verifiedOrders;
  const amount = Math.min(faucet.perRequest, faucetAllowance(faucet, orders) - received);
  if (amount <= 0) return [];
  return nextActionsFor(snapshot, reader, [
    {
      action: 'faucet',
      payload: { amount },
      why: 'Test NET for an account.',
      replace: { '/amount': 'how much, in unet, within the policy above' },
    },
  ]);
}
