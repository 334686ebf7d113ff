/**
 * Frames: bounded summaries of the blocks of a span. Nodes store them, and clients can recompute them from events
 * that they have verified, and from the orders that ended in these blocks.
 */

/** Numbers of blocks that a frame covers. A frame of index i covers the heights from i · span on. */
export const FRAME_SPANS = [10, 100, 1_000, 10_000, 100_000] as const;
export type FrameSpan = (typeof FRAME_SPANS)[number];

/** Only frames of this span name parties and jobs. */
export const DETAILED_SPAN = FRAME_SPANS[1];

/** Named parties of each role. */
export const FRAME_PARTIES = 8;
/** Newest finished jobs of a frame. */
export const FRAME_JOBS = 5;
/** Upper bound of a frame as JSON, with the longest ids and the largest amounts. */
export const MAX_FRAME_BYTES = 6_000;

export interface FramePlace {
  height: number;
  /** Block time, ISO 8601. */
  time: string;
}

export interface FrameParty {
  /** Null for all others, who are last. They include amounts of parties from before they were large. */
  id: string | null;
  /** Unet that a requester locked or a worker earned. Zero for jurors. */
  unet: number;
  /** Unet that went back to requesters when orders of this worker ended unpaid. */
  refused: number;
  /** Number of jobs, or of votes. */
  times: number;
}

export interface FrameJob {
  orderId: string;
  height: number;
  requesterId: string;
  workerId: string;
  isPaid: boolean;
  /** Unet that the worker was paid, or that the requester got back. */
  unet: number;
}

/** Amounts stop at 2^53 − 1. */
export interface FrameSums {
  /** First and last block with transitions. */
  first: FramePlace;
  last: FramePlace;
  /** Number of blocks with transitions. */
  blocks: number;
  transitions: number;
  /** Number of agents that registered. */
  agents: number;
  offeredJobs: number;
  paidJobs: number;
  /** Number of jobs that a worker had taken and that ended unpaid. */
  refusedJobs: number;
  votes: number;
  /** Unet that requesters locked. */
  locked: number;
  /** Unet that workers earned. */
  earned: number;
  /** Unet that requesters got back. */
  refunded: number;
  /** Unet that agents sent to each other. */
  transferred: number;
  /** Blocks from the acceptance of each paid job to its payment. */
  waitedBlocks: number;
  /** Votes of juries of the jobs that ended, without abstentions. */
  judgedVotes: number;
  /** Those of them that agreed with the majority of their jury. */
  agreedVotes: number;
}

export interface FrameDetails {
  requesters: FrameParty[];
  workers: FrameParty[];
  jurors: FrameParty[];
  /** Newest first. */
  jobs: FrameJob[];
}

export type Frame = FrameSums & Partial<FrameDetails>;

export interface FrameEvent {
  type: string;
  data: Readonly<Record<string, unknown>>;
}

export interface FrameBlock extends FramePlace {
  transitions: number;
  events: readonly FrameEvent[];
}

interface Jury {
  votes: readonly { vote: string }[];
}

/** Members of the record of an order that ended. They don't change afterwards. */
export interface FrameOrder {
  acceptedAt: { height: number } | null;
  verification: Jury | null;
  firstVerification?: Jury | null;
}

/** Returns the record of an order that ended; undefined if it is unknown, which counts as no wait and no votes. */
export type OrderOf = (orderId: string) => FrameOrder | undefined;

const text = ({ data }: FrameEvent, name: string): string | null => {
  const value = data[name];
  return typeof value === 'string' ? value : null;
};
const unet = ({ data }: FrameEvent, name: string): number => {
  const value = data[name];
  return typeof value === 'number' ? value : 0;
};
const plus = (one: number, other: number): number => Math.min(Number.MAX_SAFE_INTEGER, one + other);
/** Returns the unet that the requester of a new order locks. */
const lockedBy = (event: FrameEvent): number =>
  plus(unet(event, 'funding'), unet(event, 'verificationFee'));

const NO_SUMS = {
  blocks: 0,
  transitions: 0,
  agents: 0,
  offeredJobs: 0,
  paidJobs: 0,
  refusedJobs: 0,
  votes: 0,
  locked: 0,
  earned: 0,
  refunded: 0,
  transferred: 0,
  waitedBlocks: 0,
  judgedVotes: 0,
  agreedVotes: 0,
};
const SUMMED = Object.keys(NO_SUMS) as (keyof typeof NO_SUMS)[];

/** Returns the sums of a block that has transitions. */
export function sumsOf(
  { height, time, transitions, events }: FrameBlock,
  orderOf: OrderOf,
): FrameSums {
  const place = { height, time };
  const sums: FrameSums = { ...NO_SUMS, first: place, last: place, blocks: 1, transitions };
  for (const event of events) {
    switch (event.type) {
      case 'AgentRegistered':
        sums.agents++;
        break;
      case 'Transferred':
        sums.transferred = plus(sums.transferred, unet(event, 'amount'));
        break;
      case 'WorkOrderCreated':
        sums.offeredJobs++;
        sums.locked = plus(sums.locked, lockedBy(event));
        break;
      case 'WorkVoted':
        sums.votes++;
        break;
      case 'WorkOrderPaid':
        sums.paidJobs++;
        sums.earned = plus(sums.earned, unet(event, 'paid'));
        addOrder(sums, event, height, orderOf);
        break;
      case 'WorkOrderSplit':
        sums.earned = plus(sums.earned, unet(event, 'paid'));
        addOrder(sums, event, height, orderOf);
        break;
      case 'WorkOrderRejected':
        if (text(event, 'workerId') !== null) {
          sums.refusedJobs++;
          addOrder(sums, event, height, orderOf);
        }
        sums.refunded = plus(sums.refunded, unet(event, 'refund'));
        break;
      default:
    }
  }
  return sums;
}

/** Adds sums of other blocks, in any order. */
export function addSums(before: FrameSums | undefined, more: FrameSums): FrameSums {
  if (!before) return more;
  const sums: FrameSums = { ...before };
  if (more.first.height < sums.first.height) sums.first = more.first;
  if (more.last.height > sums.last.height) sums.last = more.last;
  for (const name of SUMMED) sums[name] = plus(sums[name], more[name]);
  return sums;
}

const ABSTAINED = 'UNJUDGEABLE';

function addOrder(sums: FrameSums, event: FrameEvent, height: number, orderOf: OrderOf): void {
  const order = orderOf(text(event, 'orderId') ?? '');
  if (!order) return;
  if (event.type === 'WorkOrderPaid' && order.acceptedAt)
    sums.waitedBlocks += Math.max(0, height - order.acceptedAt.height);
  for (const jury of [order.firstVerification, order.verification]) {
    const votes = (jury?.votes ?? []).filter(({ vote }) => vote !== ABSTAINED);
    const accepts = votes.filter(({ vote }) => vote === 'ACCEPT').length;
    sums.judgedVotes += votes.length;
    sums.agreedVotes += Math.max(accepts, votes.length - accepts);
  }
}

type Amounts = Omit<FrameParty, 'id'>;

const NOTHING: Amounts = { unet: 0, refused: 0, times: 0 };

const added = <Base extends Amounts>(base: Base, more: Amounts): Base => ({
  ...base,
  unet: plus(base.unet, more.unet),
  refused: plus(base.refused, more.refused),
  times: base.times + more.times,
});

const bySize = (one: FrameParty, other: FrameParty): number =>
  other.unet + other.refused - (one.unet + one.refused) ||
  other.times - one.times ||
  (String(one.id) < String(other.id) ? -1 : 1);

/**
 * Adds amounts to a party in place. If there are too many parties, it moves the smallest one to the others.
 * @param role largest first, the others last
 */
export function addToRole(
  role: FrameParty[],
  id: string | null,
  more: Amounts,
  most: number,
): void {
  const at = role.findIndex((party) => party.id === id);
  const party = added(role[at] ?? { id, ...NOTHING }, more);
  if (at !== -1) role.splice(at, 1);
  // The parties are in order, and most that are new are small: look for the place from the end.
  const isBelow = (other: FrameParty | undefined): boolean =>
    other !== undefined && id !== null && (other.id === null || bySize(party, other) < 0);
  let place = role.length;
  while (isBelow(role[place - 1])) place--;
  if (id !== null && place >= most) return addToRole(role, null, party, most);
  role.splice(place, 0, party);
  const smallest = role[most];
  if (!smallest || smallest.id === null) return;
  role.splice(most, 1);
  addToRole(role, null, smallest, most);
}

/** Adds a block, which must follow those before it. */
export function addToDetails(
  before: FrameDetails | undefined,
  { height, events }: FrameBlock,
): FrameDetails {
  const details: FrameDetails = {
    requesters: [...(before?.requesters ?? [])],
    workers: [...(before?.workers ?? [])],
    jurors: [...(before?.jurors ?? [])],
    jobs: before?.jobs ?? [],
  };
  const add = (
    role: 'requesters' | 'workers' | 'jurors',
    id: string | null,
    more: Partial<Amounts>,
  ): void => {
    if (id === null) return;
    addToRole(details[role], id, { ...NOTHING, ...more }, FRAME_PARTIES);
  };
  const end = (event: FrameEvent, member: string): void => {
    const [orderId, requesterId] = [text(event, 'orderId'), text(event, 'requesterId')];
    const workerId = text(event, 'workerId');
    if (orderId === null || requesterId === null || workerId === null) return;
    const isPaid = event.type === 'WorkOrderPaid';
    const job = { orderId, height, requesterId, workerId, isPaid, unet: unet(event, member) };
    details.jobs = [job, ...details.jobs].slice(0, FRAME_JOBS);
  };
  for (const event of events) {
    const workerId = text(event, 'workerId');
    switch (event.type) {
      case 'WorkOrderCreated':
        add('requesters', text(event, 'requesterId'), { unet: lockedBy(event), times: 1 });
        break;
      case 'WorkVoted':
        add('jurors', text(event, 'verifierId'), { times: 1 });
        break;
      case 'WorkOrderPaid':
        add('workers', workerId, { unet: unet(event, 'paid'), times: 1 });
        end(event, 'paid');
        break;
      case 'WorkOrderSplit':
        add('workers', workerId, { unet: unet(event, 'paid'), times: 1 });
        break;
      case 'WorkOrderRejected':
        add('workers', workerId, { refused: unet(event, 'refund') });
        end(event, 'refund');
        break;
      default:
    }
  }
  return details;
}
