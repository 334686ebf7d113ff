/** The front page's picture: money from requesters through escrow to workers, and the votes of juries. */
import {
  DETAILED_SPAN,
  type FrameDetails,
  type FrameParty,
  type FrameSums,
} from '@netd/protocol/frames';
import { counted, shortNet } from './amount.ts';
import { textIn, type ChainEvent } from './stream.ts';

export type Role = 'requester' | 'worker' | 'juror';

export interface Party {
  /** Null for the group of parties without a place of their own. */
  id: string | null;
  /** Number of agents; null if it is unknown. */
  agents: number | null;
  /** Unet that a requester locked or a worker earned. Zero for jurors. */
  unet: number;
  /** Unet that went back to requesters when orders of this worker ended unpaid. */
  refused: number;
  /** Number of jobs, or of votes. */
  times: number;
}

export interface Picture {
  requesters: Party[];
  workers: Party[];
  jurors: Party[];
  paidJobs: number;
  refusedJobs: number;
  earned: number;
}

/** Number of places for each role, the one for all others included. */
const MOST: Readonly<Record<Role, number>> = { requester: 4, worker: 5, juror: 8 };

const unetIn = ({ data }: ChainEvent, name: string): number => {
  const value = data[name];
  return typeof value === 'number' ? value : 0;
};

/** Sums of blocks before the events. */
type Summed = Pick<FrameSums, 'paidJobs' | 'refusedJobs' | 'earned'> & Partial<FrameDetails>;

/**
 * Returns why frames with parties would count blocks twice, or blocks that no check reads; null if each has a place
 * of its own.
 * @param frames newest first
 */
export function placeFault(frames: readonly { from: number; to: number }[]): string | null {
  const isPlaced = frames.every(
    ({ from, to }, at) =>
      from % DETAILED_SPAN === 0 &&
      to === from + DETAILED_SPAN - 1 &&
      from < (frames[at - 1]?.from ?? Infinity),
  );
  return isPlaced ? null : 'The frames that the node listed overlap, or are not in order.';
}

/** @param frames of other blocks than the events */
export function pictureOf(events: readonly ChainEvent[], frames: readonly Summed[] = []): Picture {
  const all: Record<Role, Map<string | null, Party>> = {
    requester: new Map(),
    worker: new Map(),
    juror: new Map(),
  };
  let [paidJobs, refusedJobs, earned] = [0, 0, 0];
  const addTo = (role: Role, id: string | null, more: Partial<Party>): void => {
    const party = all[role].get(id) ?? { id, agents: 1, unet: 0, refused: 0, times: 0 };
    all[role].set(id, {
      ...party,
      unet: party.unet + (more.unet ?? 0),
      refused: party.refused + (more.refused ?? 0),
      times: party.times + (more.times ?? 1),
    });
  };
  const add = (role: Role, id: string | null, more: Partial<Party>): void => {
    if (id !== null) addTo(role, id, more);
  };
  const addAll = (role: Role, parties: readonly FrameParty[] = []): void => {
    for (const { id, ...more } of parties) {
      if (id === null && !all[role].has(id))
        all[role].set(id, { id, agents: null, unet: 0, refused: 0, times: 0 });
      addTo(role, id, more);
    }
  };
  for (const frame of frames) {
    paidJobs += frame.paidJobs;
    refusedJobs += frame.refusedJobs;
    earned += frame.earned;
    addAll('requester', frame.requesters);
    addAll('worker', frame.workers);
    addAll('juror', frame.jurors);
  }
  for (const event of events) {
    switch (event.type) {
      case 'WorkOrderCreated':
        add('requester', textIn(event, 'requesterId'), {
          unet: unetIn(event, 'funding') + unetIn(event, 'verificationFee'),
        });
        break;
      case 'WorkVoted':
        add('juror', textIn(event, 'verifierId'), {});
        break;
      case 'WorkOrderPaid':
        paidJobs++;
        earned += unetIn(event, 'paid');
        add('worker', textIn(event, 'workerId'), { unet: unetIn(event, 'paid') });
        break;
      case 'WorkOrderRejected':
        if (textIn(event, 'workerId') === null) break;
        refusedJobs++;
        add('worker', textIn(event, 'workerId'), { refused: unetIn(event, 'refund'), times: 0 });
        break;
      case 'WorkOrderSplit':
        earned += unetIn(event, 'paid');
        add('worker', textIn(event, 'workerId'), { unet: unetIn(event, 'paid') });
        break;
      default:
    }
  }
  return {
    requesters: placed('requester', all.requester),
    workers: placed('worker', all.worker),
    jurors: placed('juror', all.juror),
    paidJobs,
    refusedJobs,
    earned,
  };
}

/** Returns the largest parties in alphabetical order, for stable places, and one place for all others. */
function placed(role: Role, all: ReadonlyMap<string | null, Party>): Party[] {
  const sorted = [...all.values()].toSorted(
    (a, b) =>
      Number(a.id === null) - Number(b.id === null) ||
      b.unet + b.refused - (a.unet + a.refused) ||
      b.times - a.times,
  );
  const isFull = sorted.length > MOST[role] || all.has(null);
  const most = Math.min(
    isFull ? MOST[role] - 1 : MOST[role],
    sorted.length - Number(all.has(null)),
  );
  const own = sorted.slice(0, most).toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const rest = sorted.slice(most);
  if (rest.length === 0) return own;
  const sum = (of: (party: Party) => number): number =>
    rest.reduce((total, party) => total + of(party), 0);
  return [
    ...own,
    {
      id: null,
      agents: all.has(null) ? null : rest.length,
      unet: sum(({ unet }) => unet),
      refused: sum(({ refused }) => refused),
      times: sum(({ times }) => times),
    },
  ];
}

export const nameOf = ({ id, agents }: Party): string =>
  id ?? (agents === null ? 'others' : counted(agents, 'other'));

/** Returns the lines beside a party, which screen readers read too. */
export function partyWords(role: Role, { unet, refused, times }: Party): string[] {
  switch (role) {
    case 'requester':
      return [`locked ${shortNet(unet)} NET`];
    case 'worker':
      return [
        ...(unet > 0 || refused === 0 ? [`earned ${shortNet(unet)} NET`] : []),
        ...(refused > 0 ? [`unpaid ${shortNet(refused)} NET`] : []),
      ];
    default:
      return [counted(times, 'vote')];
  }
}

const WIDEST = 22;
const THINNEST = 1.5;

/** Returns the width of a line in proportion to its amount. */
export function lineWidth(amount: number, largest: number): number {
  if (amount <= 0 || largest <= 0) return 0;
  return Math.max(THINNEST, (WIDEST * amount) / largest);
}

/** `escrow` is the center, `network` stands for everything else that happens. */
export type Spot = 'escrow' | 'network' | { role: Role; id: string };

export interface Move {
  from: Spot;
  /** Equal to `from` if the event moves nothing. Then its spot lights up. */
  to: Spot;
  tone: 'locks' | 'pays' | 'refunds' | 'votes' | 'works' | 'other';
}

/** Returns how the picture shows an event. */
export function moveOf(event: ChainEvent): Move {
  const spot = (role: Role, member: string): Spot => {
    const id = textIn(event, member);
    return id === null ? 'network' : { role, id };
  };
  switch (event.type) {
    case 'WorkOrderCreated':
      return { from: spot('requester', 'requesterId'), to: 'escrow', tone: 'locks' };
    case 'WorkAccepted':
    case 'WorkResultSubmitted':
    case 'WorkReleased':
      return { from: spot('worker', 'workerId'), to: 'escrow', tone: 'works' };
    case 'WorkVoted':
    case 'WorkVoteCommitted':
      return { from: spot('juror', 'verifierId'), to: 'escrow', tone: 'votes' };
    case 'WorkOrderPaid':
    case 'WorkOrderSplit':
      return { from: 'escrow', to: spot('worker', 'workerId'), tone: 'pays' };
    case 'WorkOrderRejected':
      return { from: 'escrow', to: spot('requester', 'requesterId'), tone: 'refunds' };
    case 'DisputeOpened':
    case 'DisputeAnswered': {
      const isWorker = textIn(event, 'actorId') === textIn(event, 'workerId');
      const role = isWorker ? 'worker' : 'requester';
      return { from: spot(role, 'actorId'), to: 'escrow', tone: 'refunds' };
    }
    case 'WorkCommitteeDrawn':
    case 'WorkVerified':
    case 'WorkVotedDown':
    case 'WorkUnjudged':
    case 'DisputeResolved':
    case 'DisputeSettled':
      return { from: 'escrow', to: 'escrow', tone: 'works' };
    default:
      return { from: 'network', to: 'network', tone: 'other' };
  }
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  width: number;
  height: number;
  escrow: Point & { radius: number };
  network: Point;
  places: (role: Role, at: number, of: number) => Point;
}

/** @param isWide false for a phone, where texts stand below the nodes */
export function layoutOf(isWide: boolean): Layout {
  const [width, height] = isWide ? [960, 470] : [360, 530];
  const escrow = isWide ? { x: 480, y: 250, radius: 64 } : { x: 180, y: 220, radius: 46 };
  const [left, right] = isWide ? [170, 790] : [34, 326];
  const [arcX, arcY] = isWide ? [250, 196] : [140, 170];
  // Columns hang below the ends of the arc, so that names don't overlap.
  const [tall, below] = isWide ? [230, 45] : [264, 98];
  return {
    width,
    height,
    escrow,
    network: { x: escrow.x, y: height - 40 },
    places: (role, at, of) => {
      const part = of === 1 ? 0.5 : at / (of - 1);
      const full = Math.min(1, (of - 1) / 3);
      if (role !== 'juror') {
        const y = escrow.y + full * below + (part - 0.5) * full * tall;
        return { x: role === 'requester' ? left : right, y };
      }
      const spread = Math.min(isWide ? 120 : 104, 26 * (of - 1));
      const angle = ((90 + spread / 2 - part * spread) * Math.PI) / 180;
      return { x: escrow.x + arcX * Math.cos(angle), y: escrow.y - arcY * Math.sin(angle) };
    },
  };
}

/** Returns an SVG path. Lines of requesters and workers bend, those of jurors are straight. */
export function pathOf(role: Role, from: Point, to: Point): string {
  if (role === 'juror') return `M${xy(from)}L${xy(to)}`;
  const middle = (from.x + to.x) / 2;
  return `M${xy(from)}C${xy({ x: middle, y: from.y })} ${xy({ x: middle, y: to.y })} ${xy(to)}`;
}

const xy = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
