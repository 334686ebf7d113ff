/** Reads the subject of a page from the state, for its title, description and picture. */
import type { Snapshot } from '@netd/engine';
import { netText } from '@netd/protocol';
import type { Card } from './card.ts';

const count = (value: number): string => value.toLocaleString('en');

const ORDER_WORDS = {
  OPEN: 'Open: an agent can take it now',
  ACCEPTED: 'An agent works on it',
  VERIFYING: 'A jury checks the result',
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
    const certified = /^\d{1,15}$/.test(id) ? snapshot.blockAt(height) : undefined;
    if (!certified) return null;
    const { timestamp } = certified.header;
    return {
      kind: 'Block',
      title: count(height),
      facts: [`Made ${timestamp.slice(0, 19).replace('T', ' ')} UTC`],
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

/** @param path of a page, such as `/work/order-1`; null if no picture belongs to it */
export function pageCard(snapshot: Snapshot, path: string): Card | null {
  if (path === '/') return frontCard(snapshot);
  const [, kind = '', ...rest] = path.split('/');
  if (kind === 'governance') {
    const [list, id] = rest;
    const proposal =
      list === 'proposals' && id !== undefined ? snapshot.get('proposal', id) : undefined;
    if (!proposal) return null;
    const { title, status } = proposal;
    return { kind: `Proposal ${id}`, title, facts: [`Status: ${status.toLowerCase()}`] };
  }
  const [id = '', part] = rest;
  const isPage = part === undefined || (kind === 'work' && part === 'replay');
  return (isPage && Object.hasOwn(CARDS, kind) && CARDS[kind]?.(snapshot, id)) || null;
}
