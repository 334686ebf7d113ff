/** The genesis document. Its hash identifies the chain. */
import { exactly, Type, type Static } from './type.ts';
import { hashValue } from './hash.ts';
import {
  MAX_GENESIS_ACCOUNTS,
  MAX_GENESIS_OPERATORS,
  MAX_GENESIS_VALIDATORS,
  MAX_SCOPE_LENGTH,
  MAX_VALIDATORS,
  UNET_PER_NET,
} from './limits.ts';
import { ActorId, Amount, ChainId, Hash, PublicKeyPem, Timestamp } from './schemas.ts';
import { Validator } from './validator-set.ts';

/** A delay that ends once both its heights and its header time have passed. */
export const ProtectiveDelay = Type.Object(
  {
    heights: Type.Integer({ minimum: 1 }),
    milliseconds: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { title: 'ProtectiveDelay', additionalProperties: false },
);
export type ProtectiveDelay = Static<typeof ProtectiveDelay>;

/** Limits are set, so that no work order or proposal stays open forever. */
export const WorkSpan = Type.Object(
  {
    heights: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    milliseconds: Type.Integer({ minimum: 1, maximum: 365 * 86_400_000 }),
  },
  { title: 'WorkSpan', additionalProperties: false },
);

export const WorkPolicy = Type.Object(
  {
    verificationFeeBps: Type.Integer({
      minimum: 1,
      maximum: 5_000,
      description: 'The default fee of verifiers, in 1/10,000 of the funding.',
    }),
    minimumFunding: Type.Integer({
      ...Amount,
      description:
        'Funding, in unet, from which on an order counts, with the fee that goes with it: below, a paid one earns no voting weight, referral, rank or limit, and a missed or disputed one stands in no record of the worker.',
    }),
    acceptWithin: WorkSpan,
    deliverWithin: WorkSpan,
    verifyWithin: WorkSpan,
    disputeWindow: WorkSpan,
    disputeBond: Amount,
    minimumBondedDelivery: Type.Object(WorkSpan.properties, {
      ...WorkSpan,
      description:
        'The shortest deliverWithin of an order that asks for a workerBond: so that no worker loses a bond to a span in which nothing can be delivered.',
    }),
    minimumSpans: Type.Object(
      { deliver: WorkSpan, verify: WorkSpan },
      {
        additionalProperties: false,
        description:
          'The shortest deliverWithin and verifyWithin of any order, heights and milliseconds each: time in which an agent can deliver, and in which a committee can fetch what it judges and vote twice.',
      },
    ),
    resolveWithin: WorkSpan,
    settleWithin: WorkSpan,
  },
  {
    title: 'WorkPolicy',
    additionalProperties: false,
    description:
      'Work orders: default spans, and limits that hold for all. A verified order settles by itself settleWithin after its dispute window.',
  },
);
export type WorkPolicy = Static<typeof WorkPolicy>;

/**
 * Returns unet, rounded up so that there is always something to share. Splits the product, because it may
 * exceed 2^53.
 * @param bps in 1/10,000 of the funding
 */
export function verificationFeeOf(funding: number, bps: number): number {
  const rest = funding % 10_000;
  return ((funding - rest) / 10_000) * bps + Math.ceil((rest * bps) / 10_000);
}

/**
 * Returns the bond of a contest, and of its answer, in unet. It is half the funding, so that a split gives
 * garbage and false contests nothing.
 */
export const contestBondOf = (funding: number): number => Math.ceil(funding / 2);

interface Contestable {
  phase: string;
  requesterId: string;
  workerId: string | null;
  rulesVersion?: number | undefined;
  dispute: { openedBy: string } | null;
}

/** Returns the parties that may dispute the outcome of an order now, or answer a dispute about it. */
export function contestersOf(order: Contestable): (string | null)[] {
  const { phase, requesterId, workerId, rulesVersion = 1, dispute } = order;
  if (rulesVersion < 2) return phase === 'VERIFIED' ? [requesterId, workerId] : [];
  switch (phase) {
    case 'VERIFIED':
    case 'UNJUDGED':
      return [requesterId];
    case 'VOTED_DOWN':
      return [workerId];
    case 'CONTESTED':
      return [dispute?.openedBy === requesterId ? workerId : requesterId];
    default:
      return [];
  }
}

export const StakingPolicy = Type.Object(
  {
    minimumDelegation: Type.Integer({ ...Amount, description: 'In unet, for one delegation.' }),
    rewardInterval: Type.Object(ProtectiveDelay.properties, {
      additionalProperties: false,
      description: 'What must pass between two rewards of a validator candidate: heights and time.',
    }),
    rewardPpm: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'One reward, in millionths of the bonded and delegated amount.',
    }),
    maximumReward: Type.Integer({ ...Amount, description: 'One reward at most, in unet.' }),
  },
  {
    title: 'StakingPolicy',
    additionalProperties: false,
    description: 'Delegations and rewards of validator candidates.',
  },
);
export type StakingPolicy = Static<typeof StakingPolicy>;

export const GovernancePolicy = Type.Object(
  {
    votingPeriod: WorkSpan,
    timelock: WorkSpan,
    enactWithin: WorkSpan,
    judgeWithin: Type.Object(WorkSpan.properties, {
      ...WorkSpan,
      description:
        'How long two groups of builders or reviewers that disagree about a contribution wait for a third one; then it needs changes.',
    }),
    stakeQuorum: Type.Integer({
      ...Amount,
      description: 'What must have voted in the chamber of stake, in unet.',
    }),
    utilityQuorum: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'What must have voted in the chamber of utility, in verified paid orders.',
    }),
    majorityBps: Type.Integer({
      minimum: 5_000,
      maximum: 9_999,
      description: 'In each chamber more than this must be in favour, in 1/10,000 of what voted.',
    }),
  },
  {
    title: 'GovernancePolicy',
    additionalProperties: false,
    description:
      'Proposals: votingPeriod may be no longer than operators.unbondingDelay, so that stake cannot change hands and vote twice. A proposal that has passed waits for its timelock and expires enactWithin after it.',
  },
);
export type GovernancePolicy = Static<typeof GovernancePolicy>;

/** Returns true if enough voted in a chamber of governance, and more than the majority in favor. */
export function chamberAgrees(
  tally: { for: number; against: number },
  quorum: number,
  majorityBps: number,
): boolean {
  const cast = tally.for + tally.against;
  // Ten thousand times the supply is no safe integer.
  return cast >= quorum && BigInt(tally.for) * 10_000n > BigInt(cast) * BigInt(majorityBps);
}

const required = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000, description });

const delay = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 31_536_000_000, description });

export const ReadinessPolicy = Type.Object(
  {
    validators: Type.Integer({
      minimum: 1,
      maximum: MAX_GENESIS_VALIDATORS,
      description: 'Active validator candidates.',
    }),
    validatorFaultDomains: required('Fault domains among them.'),
    verifiers: required('Active verifiers.'),
    verifierGroups: required('Independence groups among them.'),
    auditorGroups: required('Independence groups among active auditors.'),
    runtimeProviders: required('Active runtime providers.'),
    providerFaultDomains: required('Fault domains among them.'),
    agents: required('Active agents.'),
    paidOrders: required('Verified work orders that were paid.'),
    qualifiedReferrals: required('Referrals that paid work has qualified.'),
    followerNodes: required('Follower nodes that have sent a heartbeat.'),
    closedAudits: required('Audit engagements that auditors reported on and an operator closed.'),
    releases: required('Protocol releases on record.'),
    walletChannels: required('Wallet channels attested from two independence groups.'),
    delays: Type.Optional(
      Type.Object(
        {
          disputeWindow: delay('Of work.disputeWindow.'),
          recoveryDelay: delay('Of recoveryDelay.'),
          votingPeriod: delay('Of governance.votingPeriod.'),
          timelock: delay('Of governance.timelock.'),
          unbondingDelay: delay('Of operators.unbondingDelay.'),
        },
        {
          title: 'ReadinessDelays',
          additionalProperties: false,
          description:
            'Milliseconds that delays of this policy have at least, since the genesis that is sealed takes the policy over. Without it no delay is a gate.',
        },
      ),
    ),
  },
  {
    title: 'ReadinessPolicy',
    additionalProperties: false,
    description: 'What the mainnet readiness gates ask for at least.',
  },
);
export type ReadinessPolicy = Static<typeof ReadinessPolicy>;

export const ValidatorSetPolicy = Type.Object(
  {
    termHeights: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'After so many heights the set is drawn anew, from the stake there is then.',
    }),
    maximum: Type.Integer({
      minimum: 1,
      maximum: MAX_GENESIS_VALIDATORS,
      description: 'Validators at one time: the candidates with the most stake.',
    }),
    downtime: Type.Object(
      {
        window: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Heights, from the first missed one on.',
        }),
        missed: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'A validator that misses more of them than this is jailed.',
        }),
        jail: ProtectiveDelay,
      },
      {
        title: 'DowntimePolicy',
        additionalProperties: false,
        description:
          'When a validator that does not sign leaves the set, and for how long at least.',
      },
    ),
  },
  {
    title: 'ValidatorSetPolicy',
    additionalProperties: false,
    description:
      'A set that changes: bonded candidates certify blocks, one vote for each NET of their own and delegated stake. Without it the validators of genesis do, for good.',
  },
);
export type ValidatorSetPolicy = Static<typeof ValidatorSetPolicy>;

export const GenesisMigration = Type.Object(
  {
    chainId: ChainId,
    epoch: Type.Integer({ minimum: 1 }),
    genesisHash: Hash,
  },
  {
    title: 'GenesisMigration',
    additionalProperties: false,
    description: 'The chain that this one follows; its balances are not carried over.',
  },
);

/** The chain and block after which a fork begins, with that block's state. */
export const GenesisFork = Type.Object(
  {
    chainId: ChainId,
    genesisHash: Hash,
    height: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER - 1,
      description:
        'Of the last block that both chains have in common; this one begins with the next.',
    }),
    blockHash: Hash,
    stateRoot: Hash,
  },
  {
    title: 'GenesisFork',
    additionalProperties: false,
    description:
      'Of a laboratory that is a fork: the chain, and the block of it, whose state it begins with.',
  },
);
export type GenesisFork = Static<typeof GenesisFork>;

export const firstHeightOf = ({ fork }: { fork?: GenesisFork | undefined }): number =>
  fork === undefined ? 0 : fork.height + 1;

export const NamesPolicy = Type.Object(
  {
    price: Type.Enum(['free', 'work', 'deposit'], {
      description: 'work: a registration needs a proof; deposit: a sponsor.',
    }),
    deposit: Type.Optional(
      Type.Integer({
        ...Amount,
        description: 'What sponsorName locks; 10 NET if the price is deposit.',
      }),
    ),
    workBits: Type.Integer({
      minimum: 1,
      maximum: 40,
      description:
        'The zero bits that begin the SHA-256 of the signed bytes of a registration if the price is work. Each one doubles the work.',
    }),
  },
  {
    title: 'NamesPolicy',
    additionalProperties: false,
    description: 'What a new name costs.',
  },
);
export type NamesPolicy = Static<typeof NamesPolicy>;

/** In unet, if the price is a deposit and the policy names none. */
export const DEFAULT_NAME_DEPOSIT = 10 * UNET_PER_NET;

/**
 * Price of names from version 2 of the rules on, unless schedule or genesis set another. 20 bits take a
 * second or two.
 */
export const FREE_NAMES: NamesPolicy = { price: 'free', workBits: 20 };

/** Members that a later version of the rules adds are optional, with a default in `RULES_VERSIONS`. */
export const GenesisPolicy = Type.Object(
  {
    faucet: Type.Object(
      {
        enabled: Type.Boolean(),
        perRequest: Amount,
        perAccount: Amount,
        perDay: Amount,
        perNewcomer: Type.Integer({
          ...Amount,
          description: 'What an account may draw, ever, before it was paid for verified work.',
        }),
        perVerifiedOrder: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'What each order that it was paid for adds to that, up to perAccount.',
        }),
        keptForFirst: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Of perDay, what only accounts get that have drawn nothing before.',
        }),
      },
      {
        additionalProperties: false,
        description: 'Limits in unet; a day is a UTC day of header time.',
      },
    ),
    recoveryDelay: ProtectiveDelay,
    work: WorkPolicy,
    operators: Type.Object(
      {
        maxCapabilities: Type.Integer({
          minimum: 1,
          maximum: MAX_SCOPE_LENGTH,
          description: 'Capabilities in one application.',
        }),
        maxAmount: Type.Integer({
          ...Amount,
          description:
            'What a capability that spends may allow at most, in unet, for an application to be approved at once.',
        }),
        maxLifetime: Type.Integer({
          minimum: 1,
          description: 'Heights beyond the current one at which an application may expire.',
        }),
        minimumBonds: Type.Object(
          { verifier: Amount, validator: Amount, runtimeProvider: Amount },
          { additionalProperties: false, description: 'In unet.' },
        ),
        unbondingDelay: ProtectiveDelay,
      },
      {
        additionalProperties: false,
        description: 'Bounds of applications, bonds and their return.',
      },
    ),
    staking: StakingPolicy,
    governance: GovernancePolicy,
    readiness: ReadinessPolicy,
    validatorSet: Type.Optional(ValidatorSetPolicy),
    names: Type.Optional(NamesPolicy),
  },
  { title: 'GenesisPolicy', additionalProperties: false },
);
export type GenesisPolicy = Static<typeof GenesisPolicy>;

export const Genesis = Type.Object(
  {
    schema: Type.Literal('NET-GENESIS/1'),
    chainId: ChainId,
    epoch: Type.Integer({ minimum: 1 }),
    genesisTime: Timestamp,
    open: Type.Boolean({
      description: 'Whether four POST paths take unsigned payloads (loopback only).',
    }),
    laboratory: Type.Optional(
      Type.Literal(true, {
        description:
          'A chain for tests: the node that makes its blocks mines and moves time on demand (loopback only), so its NET is worth nothing. Other chains leave it out.',
      }),
    ),
    fork: Type.Optional(GenesisFork),
    rules: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 1_000_000,
        description:
          'The version of the rules that the chain begins with; without it, version 1. A fork goes on with that of its origin.',
      }),
    ),
    operators: Type.Array(exactly({ actorId: ActorId, publicKey: PublicKeyPem }), {
      minItems: 1,
      maxItems: MAX_GENESIS_OPERATORS,
      description: 'Authorities with the role OPERATOR and the capability *.',
    }),
    accounts: Type.Array(
      exactly({
        accountId: Type.String({
          pattern: '^(net:[a-z-]{1,40}|[A-Za-z0-9][A-Za-z0-9._-]{1,63})$',
        }),
        balance: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      }),
      {
        maxItems: MAX_GENESIS_ACCOUNTS,
        description:
          'Balances in unet; together they are the whole supply. A fork takes over those of its origin, and names none.',
      },
    ),
    validators: Type.Array(Validator, { minItems: 1, maxItems: MAX_VALIDATORS }),
    owners: Type.Optional(
      Type.Array(
        Type.Object(
          { validatorId: ActorId, publicKey: PublicKeyPem },
          { title: 'ValidatorOwner', additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: MAX_GENESIS_VALIDATORS,
          description:
            'If the set can change: the key by which each validator acts, whose bond is 1 NET for each unit of its voting power, held by net:bonds.',
        },
      ),
    ),
    policy: GenesisPolicy,
    migration: Type.Optional(GenesisMigration),
  },
  {
    title: 'Genesis',
    additionalProperties: false,
    description:
      'How a chain begins: its authorities, accounts, validators and bounds. Its hash names the chain for good.',
  },
);
export type Genesis = Static<typeof Genesis>;

export function genesisHash(genesis: Genesis): string {
  return hashValue(genesis);
}
