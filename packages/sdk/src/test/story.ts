/** Reports the events of a network's orders, and the steps of its agents. */
import { afterEach } from 'node:test';
import type { Agent, NetClient } from '../index.ts';

const MOST_ORDERS = 5;
/** Of an order. */
const MOST_LINES = 100;
const MOST_TOLD = 2_000;
const MOST_PAGES = 10;
const PAGE = 1_000;
const PATIENCE = 5_000;

interface Told {
  orderId: string;
  line: string;
}

interface Page {
  events: { id: string; type: string; data: Record<string, unknown> }[];
}

export class Story {
  private readonly client: NetClient;
  private readonly told: Told[] = [];

  constructor(client: NetClient) {
    this.client = client;
  }

  /** Records the events of an agent from now on. */
  follow(agent: Agent): void {
    agent['parts'].events.tap = (name, event) => {
      const { orderId, ...facts } = event as Record<string, unknown>;
      if (typeof orderId !== 'string') return;
      this.told.push({ orderId, line: `${agent.agentId} ${name}  ${factsOf(facts)}` });
      if (this.told.length > MOST_TOLD) this.told.shift();
    };
  }

  /** @param orderId default the last few orders */
  async text(orderId?: string): Promise<string> {
    const lines = new Map<string, string[]>();
    const add = (id: unknown, line: string): void => {
      if (typeof id !== 'string' || (orderId !== undefined && id !== orderId)) return;
      lines.set(id, [...(lines.get(id) ?? []), `  ${line.trimEnd()}`]);
    };
    for (const { id, type, data } of await this.events(orderId)) {
      const { orderId: of, ...facts } = data;
      add(of, `height ${id.split('.')[0]}  ${type}  ${factsOf(facts)}`);
    }
    for (const { orderId: of, line } of this.told) add(of, line);
    return [...lines]
      .slice(-MOST_ORDERS)
      .map(([id, all]) => [`The story of order ${id}:`, ...all.slice(-MOST_LINES)].join('\n'))
      .join('\n');
  }

  private async events(orderId: string | undefined): Promise<Page['events']> {
    const all: Page['events'] = [];
    const about = orderId === undefined ? '' : `&order=${encodeURIComponent(orderId)}`;
    for (let after = '0.0', pages = 0; pages < MOST_PAGES; pages++) {
      const { events } = await this.client.get<Page>(
        `/v1/events?after=${after}&limit=${PAGE}${about}`,
      );
      all.push(...events);
      const last = events.at(-1);
      if (!last || events.length < PAGE) break;
      after = last.id;
    }
    return all;
  }
}

const factsOf = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .flatMap(([name, value]) => {
      if (value instanceof Error) return [`${name}: ${value.message}`];
      if (value === null || typeof value === 'object') return [];
      return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
    })
    .join(', ')
    .slice(0, 300);

/** Networks of this process that have not stopped. */
const alive = new Set<Story>();
let printed = '';

export function keep(story: Story): () => void {
  alive.add(story);
  return () => void alive.delete(story);
}

async function print(): Promise<void> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, PATIENCE, '').unref());
  for (const story of alive) {
    // The network itself may have failed.
    const text = await Promise.race([story.text().catch(() => ''), late]);
    if (text !== '' && text !== printed) console.error(text);
    printed = text;
  }
}

// A hook outside of `node --test` would start a test run of its own.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  afterEach(async (context) => {
    const { error } = context as { error?: unknown };
    if (error !== undefined && error !== null) await print();
  });
}
