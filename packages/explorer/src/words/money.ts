import type { MONEY_CLASSES } from './choices.ts';

export type MoneyClass = (typeof MONEY_CLASSES)[number];

/** A move in unet. An id names an account; it is absent if the class has no accounts. */
export interface Move {
  from: MoneyClass;
  to: MoneyClass;
  amount: number;
  fromId?: string;
  toId?: string;
}

type Data = Readonly<Record<string, unknown>>;
type Rule = (data: Data) => Move[];

const units = (data: Data, name: string): number => {
  const value = data[name];
  return typeof value === 'number' ? value : 0;
};
const actor = (data: Data, name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

const into =
  (to: MoneyClass, who: string, ...amounts: string[]): Rule =>
  (data) => [
    {
      from: 'circulating',
      to,
      amount: amounts.reduce((sum, name) => sum + units(data, name), 0),
      fromId: actor(data, who),
    },
  ];
const outOf =
  (from: MoneyClass, who: string, amount: string): Rule =>
  (data) => [{ from, to: 'circulating', amount: units(data, amount), toId: actor(data, who) }];
const between =
  (from: MoneyClass, to: MoneyClass, amount: string): Rule =>
  (data) => [{ from, to, amount: units(data, amount) }];
const all =
  (...rules: readonly Rule[]): Rule =>
  (data) =>
    rules.flatMap((rule) => rule(data));

const sharesOf =
  (from: MoneyClass): Rule =>
  (data) => {
    const list = Array.isArray(data['shares']) ? (data['shares'] as readonly Data[]) : [];
    return list.map((share) => ({
      from,
      to: 'circulating',
      amount: units(share, 'amount'),
      toId: actor(share, 'verifierId'),
    }));
  };
const shares = sharesOf('escrow');
const bondShares = sharesOf('bonds');
const slashes = all(
  between('bonds', 'reward-pool', 'slashedBond'),
  between('stake', 'reward-pool', 'slashedStake'),
);

/**
 * Moves of money by event type. The end of an order also returns a dispute's bond, which its event does not
 * name: see `movesOf`.
 */
const RULES: Readonly<Record<string, Rule>> = {
  FaucetPaid: outOf('faucet', 'actorId', 'amount'),
  Transferred: (data) => [
    {
      from: 'circulating',
      to: 'circulating',
      amount: units(data, 'amount'),
      fromId: actor(data, 'fromActorId'),
      toId: actor(data, 'toActorId'),
    },
  ],
  WorkOrderCreated: into('escrow', 'requesterId', 'funding', 'verificationFee'),
  WorkAccepted: into('bonds', 'workerId', 'workerBond'),
  WorkResultSubmitted: outOf('bonds', 'workerId', 'workerBond'),
  WorkReleased: outOf('bonds', 'workerId', 'workerBond'),
  WorkerBondReturned: outOf('bonds', 'workerId', 'amount'),
  WorkerBondForfeited: outOf('bonds', 'requesterId', 'amount'),
  WorkOrderPaid: all(outOf('escrow', 'workerId', 'paid'), shares),
  WorkOrderRejected: all(outOf('escrow', 'requesterId', 'refund'), shares),
  WorkUnjudged: all(outOf('escrow', 'requesterId', 'refund'), shares),
  DisputeOpened: into('bonds', 'actorId', 'bond'),
  DisputeAnswered: into('bonds', 'actorId', 'bond'),
  DisputeSettled: all(
    outOf('bonds', 'actorId', 'amount'),
    between('bonds', 'reward-pool', 'slashed'),
    outOf('escrow', 'requesterId', 'refund'),
    bondShares,
  ),
  // DisputeSettled of the same block slashes the missing part of the worker's bond.
  WorkOrderSplit: all(outOf('escrow', 'workerId', 'paid'), between('escrow', 'bonds', 'forfeited')),
  VerdictProven: outOf('escrow', 'requesterId', 'refund'),
  VerifierSlashed: between('bonds', 'reward-pool', 'slashed'),
  VoteDisproven: between('bonds', 'reward-pool', 'slashed'),
  AuthorityInstalled: into('bonds', 'actorId', 'bond'),
  BondsReleased: outOf('bonds', 'payoutActorId', 'amount'),
  RoleBondReleased: outOf('bonds', 'actorId', 'amount'),
  RewardPoolFunded: (data) =>
    data['source'] === 'treasury'
      ? between('treasury', 'reward-pool', 'amount')(data)
      : into('reward-pool', 'actorId', 'amount')(data),
  StakeDelegated: into('stake', 'actorId', 'amount'),
  StakeReleased: all(
    outOf('stake', 'actorId', 'amount'),
    between('stake', 'reward-pool', 'slashed'),
  ),
  ValidatorRewarded: all(
    outOf('reward-pool', 'validatorId', 'toValidator'),
    between('reward-pool', 'stake', 'toDelegators'),
  ),
  ValidatorSlashed: slashes,
  ValidatorDoubleSigned: slashes,
};

/**
 * @param disputeBond unet that the event returns: to the worker if the order is paid, otherwise to the
 * requester
 */
export function movesOf(type: string, data: Data, disputeBond = 0): Move[] {
  const rule = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
  const moves = rule?.(data) ?? [];
  if (disputeBond > 0) {
    const winner = type === 'WorkOrderPaid' ? 'workerId' : 'requesterId';
    moves.push(...outOf('bonds', winner, 'bond')({ ...data, bond: disputeBond }));
  }
  return moves.filter(({ amount }) => amount !== 0);
}

export type Classes = Readonly<Record<MoneyClass, number>>;

export interface ClassesAt {
  height: number;
  classes: Classes;
}

export interface MoneyEvent {
  height: number;
  type: string;
  data: Data;
}

export interface MoneyHistory {
  /** Amounts after each block that moved money between classes, oldest first. The last is the present. */
  points: ClassesAt[];
  /** Paid orders whose disputes must be looked up. Only points after the newest of them are known. */
  unknown: string[];
}

/**
 * Counts back from the present.
 * @param now amounts after the newest event
 * @param events newest first, without a gap
 * @param known true for orders that were disputed, as far as looked up
 * @param isWhole true if these are all events of the chain
 */
export function moneyHistory(
  now: ClassesAt,
  events: readonly MoneyEvent[],
  {
    disputeBond,
    known,
    isWhole,
  }: { disputeBond: number; known: ReadonlyMap<string, boolean>; isWhole: boolean },
): MoneyHistory {
  const orderOf = ({ data }: MoneyEvent): string => actor(data, 'orderId');
  const seen = (type: string): Set<string> =>
    new Set(events.filter((event) => event.type === type).map(orderOf));
  const disputed = seen('DisputeOpened');
  const verified = seen('WorkVerified');
  const unjudged = seen('WorkUnjudged');
  // Since version 2 of the rules, this event moves the bonds.
  const settled = seen('DisputeSettled');
  const wasDisputed = (event: MoneyEvent): boolean | undefined => {
    const id = orderOf(event);
    if (settled.has(id)) return false;
    if (event.type === 'WorkOrderRejected') return event.data['reason'] === 'DISPUTE_UPHELD';
    if (event.type !== 'WorkOrderPaid') return false;
    if (disputed.has(id)) return true;
    return verified.has(id) || unjudged.has(id) || isWhole ? false : known.get(id);
  };
  const unknown = events
    .filter((event) => wasDisputed(event) === undefined)
    .map((event) => orderOf(event));
  const points: ClassesAt[] = [now];
  let classes = now.classes;
  let isCut = false;
  for (const event of events) {
    const dispute = wasDisputed(event);
    // The amounts after this event are known, even if its order's dispute is not.
    const moves = movesOf(event.type, event.data, dispute === true ? disputeBond : 0).filter(
      ({ from, to }) => from !== to,
    );
    if (moves.length > 0 && points.at(-1)?.height !== event.height)
      points.push({ height: event.height, classes });
    if (dispute === undefined) {
      isCut = true;
      break;
    }
    const undone = { ...classes };
    for (const { from, to, amount } of moves) {
      undone[from] += amount;
      undone[to] -= amount;
    }
    classes = undone;
  }
  if (!isCut && isWhole && points.at(-1)?.height !== 0) points.push({ height: 0, classes });
  return { points: points.toReversed(), unknown };
}

export interface BalanceChange {
  class: MoneyClass;
  /** The account; null for a change of the whole class. */
  actorId: string | null;
  /** Change in unet, never zero. */
  by: number;
}

/** Sums changes per account or class, in the order of their first move. */
export function balanceChanges(moves: readonly Move[]): BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  const add = (name: MoneyClass, actorId: string | null, by: number): void => {
    const key = `${name} ${actorId ?? ''}`;
    const before = changes.get(key);
    changes.set(key, { class: name, actorId, by: (before?.by ?? 0) + by });
  };
  for (const { from, to, fromId, toId, amount } of moves) {
    add(from, fromId ?? null, -amount);
    add(to, toId ?? null, amount);
  }
  return [...changes.values()].filter(({ by }) => by !== 0);
}
