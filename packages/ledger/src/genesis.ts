import {
  bytesToHex,
  compileSchema,
  Genesis,
  type GenesisFork,
  genesisHash,
  makeValidatorSet,
  nameOf,
  validatePublicKey,
  publicKeyHash,
  rawKeyFromPem,
  timestampToMs,
  TOTAL_SUPPLY,
  UNET_PER_NET,
  validateValidatorSet,
  type GenesisPolicy,
  type ValidatorSet,
} from '@netd/protocol';
import { CLASS_NAMES, classAccount, classOf } from './accounting-classes.ts';
import type { AuthorityRecord, ChainRecord } from './chain-records.ts';
import { stateKey, type CollectionName, type Collections, type IdOf } from './collections.ts';
import { isShorter } from './deadline.ts';
import { faultOfOwners, putOwners } from './genesis-owners.ts';
import { reserveName } from './names.ts';
import { earlyMemberOf, NEWEST_RULES, policyOf } from './rules.ts';
import { StateOverlay } from './state.ts';

const violations = compileSchema(Genesis);

export const DEVNET_POLICY: GenesisPolicy = {
  faucet: {
    enabled: true,
    perRequest: 1_000 * UNET_PER_NET,
    perAccount: 10_000 * UNET_PER_NET,
    perDay: 1_000_000 * UNET_PER_NET,
    // A hundred new names share a tenth of a day's limit. Agents with verified orders may draw more.
    perNewcomer: 1_000 * UNET_PER_NET,
    perVerifiedOrder: 1_000 * UNET_PER_NET,
    keptForFirst: 500_000 * UNET_PER_NET,
  },
  // The delay is long enough for an owner to notice, and short enough to try out.
  recoveryDelay: { heights: 1_000, milliseconds: 900_000 },
  // Heights are few enough that an idle chain, with a block every ten seconds, reaches them near the time.
  work: {
    verificationFeeBps: 200,
    // A hundredth of one faucet payment is affordable, yet too expensive to buy votes by the dozen.
    minimumFunding: 10 * UNET_PER_NET,
    acceptWithin: { heights: 500, milliseconds: 86_400_000 },
    deliverWithin: { heights: 500, milliseconds: 86_400_000 },
    verifyWithin: { heights: 100, milliseconds: 3_600_000 },
    // The window is long enough to object, and short enough to see the payment too.
    disputeWindow: { heights: 3, milliseconds: 30_000 },
    disputeBond: 10 * UNET_PER_NET,
    // A bonded worker can send a result twice in this time.
    minimumBondedDelivery: { heights: 10, milliseconds: 300_000 },
    // A committee must fetch, judge and vote, with one retry.
    minimumSpans: {
      deliver: { heights: 5, milliseconds: 60_000 },
      verify: { heights: 5, milliseconds: 60_000 },
    },
    resolveWithin: { heights: 500, milliseconds: 86_400_000 },
    settleWithin: { heights: 500, milliseconds: 86_400_000 },
  },
  operators: {
    maxCapabilities: 32,
    maxAmount: 1_000 * UNET_PER_NET,
    // An application can hold an id for about a day of empty blocks.
    maxLifetime: 10_000,
    minimumBonds: {
      verifier: 100 * UNET_PER_NET,
      validator: 1_000 * UNET_PER_NET,
      runtimeProvider: 100 * UNET_PER_NET,
    },
    // A bond stays within reach of evidence for as long as a recovery takes.
    unbondingDelay: { heights: 1_000, milliseconds: 900_000 },
  },
  staking: {
    minimumDelegation: UNET_PER_NET,
    // The interval is as long as unbonding, so that a delegator cannot join for one reward and leave.
    rewardInterval: { heights: 1_000, milliseconds: 900_000 },
    rewardPpm: 100,
    maximumReward: 100 * UNET_PER_NET,
  },
  // Periods are short enough to watch. A few paid orders and one bond reach the quorums, because a devnet
  // starts without weight.
  governance: {
    votingPeriod: { heights: 3, milliseconds: 20_000 },
    timelock: { heights: 3, milliseconds: 15_000 },
    enactWithin: { heights: 500, milliseconds: 86_400_000 },
    judgeWithin: { heights: 500, milliseconds: 86_400_000 },
    stakeQuorum: UNET_PER_NET,
    utilityQuorum: 2,
    majorityBps: 5_000,
  },
  readiness: {
    validators: 4,
    validatorFaultDomains: 3,
    verifiers: 5,
    verifierGroups: 3,
    auditorGroups: 2,
    runtimeProviders: 2,
    providerFaultDomains: 2,
    agents: 10,
    paidOrders: 20,
    qualifiedReferrals: 3,
    followerNodes: 2,
    closedAudits: 1,
    releases: 1,
    walletChannels: 2,
    // Mainnet delays must give people time to notice, even over a weekend.
    delays: {
      disputeWindow: 86_400_000,
      recoveryDelay: 86_400_000,
      votingPeriod: 86_400_000,
      timelock: 86_400_000,
      unbondingDelay: 604_800_000,
    },
  },
};

/** Balances in unet. The treasury gets the rest. */
export const GENESIS_SHARES = {
  faucet: 100_000_000 * UNET_PER_NET,
  rewardPool: 50_000_000 * UNET_PER_NET,
  operator: 10_000_000 * UNET_PER_NET,
} as const;

export interface DevnetGenesisOptions {
  chainId: string;
  genesisTime: string;
  operator: { actorId: string; publicKey: string };
  validator: { validatorId: string; consensusPublicKey: string };
  open?: boolean;
  laboratory?: boolean;
  policy?: GenesisPolicy;
  /** Version of the rules; default the newest. A fork continues with its origin's. */
  rules?: number;
  fork?: { point: GenesisFork; epoch: number };
}

export function devnetGenesis(options: DevnetGenesisOptions): Genesis {
  const { faucet, rewardPool, operator } = GENESIS_SHARES;
  const { fork, rules = NEWEST_RULES } = options;
  return {
    schema: 'NET-GENESIS/1',
    chainId: options.chainId,
    epoch: fork?.epoch ?? 1,
    genesisTime: options.genesisTime,
    open: options.open ?? false,
    // Absent by default, so that the hashes of other chains stay the same.
    ...(options.laboratory === true ? { laboratory: true } : {}),
    ...(fork ? { fork: fork.point } : {}),
    ...(fork || rules === 1 ? {} : { rules }),
    operators: [options.operator],
    accounts: fork
      ? []
      : [
          { accountId: options.operator.actorId, balance: operator },
          { accountId: classAccount('faucet'), balance: faucet },
          { accountId: classAccount('reward-pool'), balance: rewardPool },
          {
            accountId: classAccount('treasury'),
            balance: TOTAL_SUPPLY - faucet - rewardPool - operator,
          },
        ],
    validators: [{ ...options.validator, votingPower: 1, faultDomain: 'local' }],
    policy: options.policy ?? DEVNET_POLICY,
  };
}

export function validateGenesis(genesis: unknown): string | null {
  const found = violations(genesis);
  if (found) return found.map(({ path, message }) => `${path || '/'} ${message}`).join('; ');
  const {
    operators,
    accounts,
    validators,
    chainId,
    epoch,
    genesisTime,
    policy,
    migration,
    fork,
    rules,
  } = genesis as Genesis;
  try {
    timestampToMs(genesisTime);
  } catch {
    return 'genesisTime names no real instant';
  }
  const { perAccount, perNewcomer, perDay, keptForFirst } = policy.faucet;
  if (perNewcomer > perAccount || keptForFirst > perDay) {
    return 'policy.faucet gives newcomers more than perAccount, or keeps more than perDay for them';
  }
  const { deliverWithin, verifyWithin, minimumSpans } = policy.work;
  if (
    isShorter(deliverWithin, minimumSpans.deliver) ||
    isShorter(verifyWithin, minimumSpans.verify)
  ) {
    return 'policy.work.deliverWithin or verifyWithin is shorter than policy.work.minimumSpans';
  }
  const { votingPeriod } = policy.governance;
  const { unbondingDelay } = policy.operators;
  if (
    votingPeriod.heights > unbondingDelay.heights ||
    votingPeriod.milliseconds > unbondingDelay.milliseconds
  ) {
    // With a shorter unbonding, stake could vote twice: it would be free before the vote ends.
    return 'policy.governance.votingPeriod is longer than policy.operators.unbondingDelay';
  }
  if (migration && (migration.epoch !== epoch - 1 || migration.chainId === chainId)) {
    return 'migration names no chain of the epoch before with an id of its own';
  }
  if (rules !== undefined && rules > NEWEST_RULES) {
    return `it begins with version ${rules} of the rules, and this netd knows only those up to ${NEWEST_RULES}`;
  }
  const early = fork ? null : earlyMemberOf(policy, rules ?? 1);
  if (early !== null) return early;
  const misfork = forkFault(genesis as Genesis);
  if (misfork !== null) return misfork;
  const keys = operators.map(({ publicKey }) => publicKey);
  const invalidSet = validateValidatorSet(makeValidatorSet(chainId, epoch, validators));
  if (invalidSet) return `the validators: ${invalidSet}`;
  const badKey = keys.find((key) => validatePublicKey(key) !== null);
  if (badKey !== undefined) return 'an operator has an unusable public key';
  const rawKeys = [
    ...keys,
    ...validators.map((validator) => validator.consensusPublicKey),
    ...((genesis as Genesis).owners ?? []).map(({ publicKey }) => publicKey),
  ].map(rawHex);
  if (new Set(rawKeys).size !== rawKeys.length) return 'two operators or validators share a key';
  const ownersFault = faultOfOwners(genesis as Genesis);
  if (ownersFault !== null) return ownersFault;
  if (new Set(operators.map(({ actorId }) => actorId)).size !== operators.length) {
    return 'two operators share an actorId';
  }
  const ids = genesisNames(genesis as Genesis);
  if (new Set([...ids].map(nameOf)).size !== ids.size) {
    return 'two operators or validators have ids that are one name';
  }
  if (new Set(accounts.map(({ accountId }) => accountId)).size !== accounts.length) {
    return 'an account stands twice';
  }
  const stray = accounts.find(
    ({ accountId }) => accountId.startsWith('net:') && classOf(accountId) === 'circulating',
  );
  if (stray) return `${stray.accountId} is the account of no accounting class`;
  // Without an owner, the first to register the name would own the money.
  const names = new Set(operators.map(({ actorId }) => actorId));
  const ownerless = accounts.find(
    ({ accountId }) => !accountId.startsWith('net:') && !names.has(accountId),
  );
  if (ownerless) return `${ownerless.accountId} has an account but no operator of this name`;
  if (fork) return null;
  const total = accounts.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  if (total !== BigInt(TOTAL_SUPPLY))
    return `the accounts sum to ${total}, not to ${TOTAL_SUPPLY} unet`;
  return null;
}

function forkFault({
  fork,
  laboratory,
  chainId,
  accounts,
  migration,
  rules,
}: Genesis): string | null {
  if (!fork) return null;
  if (laboratory !== true) return 'it is a fork and no laboratory';
  if (fork.chainId === chainId) return 'a fork has an id of its own, not that of its origin';
  if (accounts.length > 0) return 'a fork has the accounts of its origin, and names none';
  if (rules !== undefined) return 'a fork goes on with the rules of its origin, and names none';
  return migration ? 'a fork follows no other chain' : null;
}

export function genesisNames({ operators, validators }: Genesis): Set<string> {
  return new Set([
    ...operators.map(({ actorId }) => actorId),
    ...validators.map(({ validatorId }) => validatorId),
  ]);
}

export const operatorAuthority = (actorId: string, publicKey: string): AuthorityRecord => ({
  actorId,
  publicKey,
  publicKeyHash: publicKeyHash(publicKey),
  roles: ['OPERATOR'],
  capabilities: [{ action: '*' }],
  active: true,
});

function rawHex(publicKey: string): string {
  return bytesToHex(rawKeyFromPem(publicKey) ?? new Uint8Array());
}

export function genesisValidatorSet(genesis: Genesis): ValidatorSet {
  return makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators);
}

export function chainRecordOf(genesis: Genesis): ChainRecord {
  const { chainId, epoch, genesisTime, open, laboratory, fork } = genesis;
  return {
    chainId,
    epoch,
    genesisHash: genesisHash(genesis),
    genesisTime,
    open,
    ...(laboratory === true ? { laboratory } : {}),
    ...(fork === undefined ? {} : { fork }),
  };
}

/**
 * Returns values by key as canonical JSON.
 * @throws Error if the document is not valid or starts a fork (use `forkState`)
 */
export function genesisState(genesis: Genesis): Map<string, string | null> {
  const fault = validateGenesis(genesis);
  if (fault) throw new Error(`the genesis document is not valid: ${fault}`);
  if (genesis.fork) throw new Error('a fork begins with the state of its origin');
  const state = new StateOverlay({
    get: () => undefined,
    due: () => [],
    spentNonceExpiry: () => undefined,
  });
  const put = <Name extends CollectionName>(
    name: Name,
    id: IdOf<Name>,
    record: Collections[Name],
  ): void => {
    if (state.get(stateKey(name, id)) !== undefined) throw new Error(`${name}/${id} is set twice`);
    state.put(name, id, record);
  };
  put('chain', 'identity', chainRecordOf(genesis));
  put('policy', 'limits', policyOf(genesis.policy, genesis.rules ?? 1));
  if (genesis.rules !== undefined) {
    const { rules: version } = genesis;
    put('rules', 'active', { artifactHash: null, fromHeight: 0, previousVersion: 1, version });
  }
  for (const validator of genesis.validators) {
    put('validator', validator.validatorId, validator);
    // No other actor may act under a key that certifies blocks.
    put('key', rawHex(validator.consensusPublicKey), { actorId: validator.validatorId });
  }
  for (const { actorId, publicKey } of genesis.operators) {
    put('authority', actorId, operatorAuthority(actorId, publicKey));
    put('key', rawHex(publicKey), { actorId });
  }
  putOwners(state, genesis);
  for (const actorId of genesisNames(genesis)) reserveName(state, actorId);
  put('operator-roster', 'genesis', {
    operatorIds: genesis.operators.map(({ actorId }) => actorId),
  });
  const totals = new Map(CLASS_NAMES.map((name) => [name, 0]));
  for (const { accountId, balance } of genesis.accounts) {
    put('account', accountId, { accountId, balance, faucetReceived: 0 });
    const name = classOf(accountId);
    totals.set(name, (totals.get(name) ?? 0) + balance);
  }
  for (const [name, total] of totals) put('supply', name, total);
  return state.changes();
}
