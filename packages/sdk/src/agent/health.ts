/** The health of an agent, and the codes of its faults, which both SDKs share. */
import type { ErrorEntry } from '@netd/protocol';
import { documentOf, NetError, requestText, requireHeight } from '../http.ts';

const table = {
  STOPPED: {
    title: 'The agent has stopped, or is stopping',
    advice: 'Open it again: pending work continues.',
  },
  NODE_AWAY: {
    title: 'The node does not answer',
    advice: 'Check that the node runs and can be reached. The agent tries again by itself.',
  },
  THROTTLED: {
    title: 'The node refuses requests for a while',
    advice:
      'Wait: the agent obeys the time. Run fewer agents behind one address, or use a node of your own.',
  },
  DEAF: {
    title: 'The agent has no event stream, and polls once a minute',
    advice:
      'Close other streams of this address, or let the proxy pass event streams. The agent opens it again by itself.',
  },
  CLOCK_SKEWED: {
    title: 'The clock of this machine differs from the clock of the node',
    advice: 'Set the clock: stores refuse requests that a wrong clock has dated.',
  },
  BEHIND: {
    title: 'The head of the node is old, or lacks a block that this agent has seen',
    advice: 'Wait, or give the url of another node: this one receives no blocks.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The code of a fault of an agent. */
export type AgentHealthCode = keyof typeof table;

/** Title and advice of every fault that `agent.health()` may report, by code. */
export const AGENT_HEALTH_TABLE: Readonly<Record<AgentHealthCode, ErrorEntry>> = table;

/** A fault of an agent. */
export interface AgentHealthReason {
  code: AgentHealthCode;
  /** ISO time at which the agent noticed it. */
  since: string;
  /** Title, facts and advice, for people. */
  message: string;
}

/** Answer of `agent.health()`. */
export interface AgentHealth {
  /** `ok` without reasons; `stopped` once the agent has stopped. */
  status: 'ok' | 'degraded' | 'stopped';
  /** True if the node answers. */
  online: boolean;
  /** True if the agent listens to events, but has no stream. */
  deaf: boolean;
  /** Milliseconds that this clock is ahead of the node's; null if unknown, as in a browser. */
  clockSkew: number | null;
  /** ISO time until which the node refuses requests; null if it does not. */
  throttled: string | null;
  /** True if the head of the node is old, or below a block that the agent has seen. */
  behind: boolean;
  reasons: AgentHealthReason[];
}

/** Milliseconds. The header of the node has whole seconds. */
const MOST_SKEW = 30_000;
/** Idle blocks that may be missing before a head is old, and milliseconds beyond them. */
const MOST_IDLE = 3;
const IDLE_GRACE = 30_000;

/** Milliseconds that a stream may take to open again. */
const MOST_CLOSED = 5_000;

const BUSY = new Set([429, 503]);

interface Checked {
  agentId: string;
  url: string;
  hasStopped: boolean;
  seenHeight: number;
}

interface Head {
  height: number;
  timestamp: string;
  idleBlockTimeMs?: number;
}

/** Notes of the agent's parts about their node. */
export class HealthNotes {
  private readonly since = new Map<AgentHealthCode, number>();
  private throttledUntil = 0;
  private closedSince: number | null = null;
  /** Feeds that listen, and those of them with an open stream. */
  private readonly feeds = new Map<object, boolean>();

  heard(feed: object, isOpen: boolean): void {
    this.feeds.set(feed, isOpen);
    this.noteStreams();
  }

  left(feed: object): void {
    this.feeds.delete(feed);
    this.noteStreams();
  }

  /** Notes an answer of the node, or its error. */
  answered(error: unknown): void {
    const isBusy = error instanceof NetError && BUSY.has(error.status) && error.retryAfter !== null;
    if (isBusy) this.throttledUntil = Date.now() + (error.retryAfter ?? 0) * 1_000;
    else if (!(error instanceof NetError) || error.status !== 0) this.throttledUntil = 0;
  }

  private noteStreams(): void {
    const isClosed = [...this.feeds.values()].includes(false);
    this.closedSince = isClosed ? (this.closedSince ?? Date.now()) : null;
  }

  private note(code: AgentHealthCode, isSo: boolean): boolean {
    if (!isSo) this.since.delete(code);
    else if (!this.since.has(code)) this.since.set(code, Date.now());
    return isSo;
  }

  /** Asks the node once, and reports. Throws only what a bound of the call throws. */
  async check(about: Checked, timeout: number, signal?: AbortSignal): Promise<AgentHealth> {
    const until = signal === undefined ? {} : { signal };
    const url = `${about.url}/v1/network`;
    const sentAt = Date.now();
    let date = Number.NaN;
    let head: Head | null = null;
    let fault: unknown = null;
    try {
      const told = (headers: Headers): void => void (date = Date.parse(headers.get('date') ?? ''));
      const document = documentOf(await requestText(url, { timeout, told, ...until })) as Head;
      // Anything else that answers with JSON is no node.
      requireHeight(document.height);
      head = document;
    } catch (error) {
      fault = error;
    }
    this.answered(fault);
    const now = Date.now();
    // The header names the second in which the node answered.
    const skew = Math.round((sentAt + now) / 2 - date - 500);
    const clockSkew = Number.isNaN(skew) ? null : Math.abs(skew) <= 1_500 ? 0 : skew;
    const isThrottled = this.throttledUntil > now;
    const age = (Number.isNaN(date) ? now : date) - Date.parse(head?.timestamp ?? '');
    const { idleBlockTimeMs = 60_000 } = head ?? {};
    const isOld = age > MOST_IDLE * idleBlockTimeMs + IDLE_GRACE;
    const lacks = head !== null && head.height < about.seenHeight;
    const found: [AgentHealthCode, boolean, string][] = [
      ['STOPPED', about.hasStopped, about.agentId],
      ['NODE_AWAY', head === null && !isThrottled, (fault as Error | null)?.message ?? ''],
      ['THROTTLED', isThrottled, `until ${isoOf(this.throttledUntil)}`],
      ['DEAF', now - (this.closedSince ?? now) > MOST_CLOSED, url],
      ['CLOCK_SKEWED', Math.abs(clockSkew ?? 0) > MOST_SKEW, `${clockSkew} ms`],
      ['BEHIND', isOld || lacks, `height ${head?.height}, of ${head?.timestamp}`],
    ];
    const faults = found.filter(([code, isSo]) => this.note(code, isSo));
    const has = (code: AgentHealthCode): boolean => faults.some(([one]) => one === code);
    return {
      status: has('STOPPED') ? 'stopped' : faults.length > 0 ? 'degraded' : 'ok',
      online: head !== null || isThrottled,
      deaf: has('DEAF'),
      clockSkew,
      throttled: isThrottled ? isoOf(this.throttledUntil) : null,
      behind: has('BEHIND'),
      reasons: faults.map(([code, , detail]) => {
        const { title, advice } = table[code];
        const since = isoOf(this.since.get(code) ?? now);
        return { code, since, message: `${title} (${detail}). ${advice}` };
      }),
    };
  }
}

const isoOf = (time: number): string => new Date(time).toISOString();
