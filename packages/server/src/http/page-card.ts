/** Reads the subject of a page from the state, for its status, title, description and picture. */
import { ApiError, refuseMissingHistory, type Snapshot } from '@netd/engine';
import { netText } from '@netd/protocol';
import type { Card } from './card.ts';

const count = (value: number): string => value.toLocaleString('en');

const ORDER_WORDS = {
  OPEN: 'Open: an agent can take it now',
  ACCEPTED: 'In progress: an agent works on it',
  VERIFYING: 'In review: a jury checks the result',
  PAID: 'Ended with a payment',
  REJECTED: 'Ended without a payment',
} as const;

type Make = (snapshot: Snapshot, id: string) => Card | null;

function frontCard(snapshot: Snapshot): Card {
  const paid = snapshot.get('counter', 'work-orders-paid') ?? 0;
  const earned = snapshot.get('cumulative-total', 'work-paid') ?? 0;
  return {
    kind: 'A network of AI agents',
    title: 'Agents hire agents. You can check every payment.',
    facts: [
      `${count(paid)} ${paid === 1 ? 'job' : 'jobs'} paid`,
      `${netText(earned)} earned by agents`,
    ],
  };
}

const CARDS: Readonly<Record<string, Make>> = {
  work(snapshot, id) {
    const order = snapshot.get('order', id);
    if (!order) return null;
    const { title, requesterId, workerId, funding, status } = order;
    const who = workerId ? `${requesterId} hires ${workerId}` : `offered by ${requesterId}`;
    return {
      kind: `Job ${id}`,
      title,
      facts: [`${netText(funding)}, ${who}`, ORDER_WORDS[status]],
    };
  },
  agents(snapshot, id) {
    const agent = snapshot.get('agent', id);
    if (!agent) return null;
    const { description, registeredAt } = agent;
    return {
      kind: 'Agent',
      title: id,
      facts: [
        ...(description === '' ? [] : [description]),
        `Member since block ${count(registeredAt.height)}`,
      ],
    };
  },
  blocks(snapshot, id) {
    const height = Number(id);
    const time = /^\d{1,15}$/.test(id) ? snapshot.timeAt(height) : null;
    if (time === null) return null;
    return {
      kind: 'Block',
      title: count(height),
      facts: [`Made ${time.slice(0, 19).replace('T', ' ')} UTC`],
    };
  },
  tokens(snapshot, id) {
    const token = snapshot.get('token', id);
    if (!token) return null;
    const { name, symbol, holders } = token;
    return {
      kind: `Token ${id}`,
      title: name,
      facts: [`Symbol ${symbol}`, `${count(holders)} ${holders === 1 ? 'holder' : 'holders'}`],
    };
  },
};

/** Returns the decoded steps of the path of a page, such as `work` and `order-1`; null if it cannot be decoded. */
export function stepsOf(url: string): string[] | null {
  const { pathname } = new URL(url, 'http://page.invalid');
  const steps = pathname.replace(/\/$/, '').split('/').slice(1);
  try {
    return steps.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Returns null if no picture belongs to the page. */
export function pageCard(snapshot: Snapshot, steps: readonly string[]): Card | null {
  if (steps.length === 0) return frontCard(snapshot);
  const [kind = '', ...rest] = steps;
  if (kind === 'governance') {
    const [list, id] = rest;
    const proposal =
      list === 'proposals' && id !== undefined ? snapshot.get('proposal', id) : undefined;
    if (!proposal) return null;
    const { title, status } = proposal;
    return { kind: `Proposal ${id}`, title, facts: [`Status: ${status.toLowerCase()}`] };
  }
  return (
    (isPage(steps) && Object.hasOwn(CARDS, kind) && CARDS[kind]?.(snapshot, rest[0] ?? '')) || null
  );
}

/** Collections of the records that pages show, by the first step of their paths. */
const RECORDS = { agents: 'agent', tokens: 'token', work: 'order' } as const;

/** Collections of the records below `/governance`. */
const GOVERNED = { contributions: 'contribution', proposals: 'proposal' } as const;

const isPage = ([kind, , part, ...rest]: readonly string[]): boolean =>
  part === undefined || (kind === 'work' && part === 'replay' && rest.length === 0);

/** Returns true if the page does not exist, or is about a record, a block or a transition that does not exist. */
export function isOfNothing(snapshot: Snapshot, url: string): boolean {
  const steps = stepsOf(url);
  const [kind = '', id, part = '', ...rest] = steps ?? [];
  if (id === undefined) return steps === null;
  if (kind === 'governance') {
    return (
      rest.length > 0 ||
      !Object.hasOwn(GOVERNED, id) ||
      snapshot.get(GOVERNED[id as keyof typeof GOVERNED], part) === undefined
    );
  }
  if (!isPage(steps ?? [])) return true;
  if (kind === 'transitions') return isOfNoTransition(snapshot, id);
  if (kind === 'blocks') return !/^\d{1,15}$/.test(id) || Number(id) > snapshot.height;
  // Operators have an account, but are not agents.
  if (kind === 'agents' && snapshot.get('account', id) !== undefined) return false;
  const collection = RECORDS[kind as keyof typeof RECORDS];
  return collection === undefined || snapshot.get(collection, id) === undefined;
}

function isOfNoTransition(snapshot: Snapshot, hash: string): boolean {
  if (!/^[a-f0-9]{64}$/.test(hash)) return true;
  try {
    return refuseMissingHistory(() => snapshot.findTransition(hash)) === null;
  } catch (error) {
    // This node lacks the blocks in which it may be.
    if (error instanceof ApiError) return false;
    throw error;
  }
}
