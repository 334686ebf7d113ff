/**
 * A home that several processes share, over a store with compare-and-set. One of them holds a lease. Each
 * holder gets a fence of its own, and the store checks it in one step with every write. So a process that was
 * paused beyond its lease cannot store an envelope any more, and only stored envelopes are sent.
 */
import { base64ToBytes, bytesToBase64, bytesToHex } from '@netd/protocol';
import { AgentError } from './agent-error.ts';
import type { AgentHome, AgentState } from './home.ts';

/**
 * Texts by key, for one agent. A promise is fulfilled once its write is durable, and each method sees all
 * writes before it.
 */
export interface SharedStore {
  /** Returns the text of a key, or null. */
  get: (key: string) => Promise<string | null>;
  /** Returns all keys. */
  keys: () => Promise<string[]>;
  /** Writes a text unless the key has one already. Returns true if it wrote. */
  add: (key: string, text: string) => Promise<boolean>;
  /**
   * Writes a text, or deletes it if null, but only if the key of the guard has the guard's text. Comparing
   * and writing are one atomic step. Returns true if it wrote.
   */
  writeIf: (guard: Guard, key: string, text: string | null) => Promise<boolean>;
}

interface Guard {
  key: string;
  text: string;
}

const FENCE = 'fence';
/** Milliseconds since 1970 by the clock of the holder. Clocks decide who waits, and never who may write. */
const LEASE = 'lease';
const LEASE_MS = 30_000;
/** The last day of the year 9999, because a date has an end and the lease of a careless program has none. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/**
 * Returns a home in a store that processes on several machines share.
 * @param options.lease milliseconds without a renewal, after which another process takes over; default 30,000
 */
export function leasedHome(
  store: SharedStore,
  { lease = LEASE_MS }: { lease?: number | undefined } = {},
): AgentHome {
  return {
    readSecret: (name) => store.get(`secret/${name}`),
    writeSecret: async (name, text) => void (await store.add(`secret/${name}`, text)),
    replaceSecret: async (name, before, text) => {
      const key = `secret/${name}`;
      await store.writeIf({ key, text: before }, key, text);
    },
    openState: async () => {
      await store.add(FENCE, '0');
      const text = (await store.get(FENCE)) ?? '';
      const before = { key: FENCE, text };
      const until = Number((await store.get(LEASE)) ?? 0);
      if (Date.now() < until) throw running(new Date(Math.min(until, LAST_MOMENT)).toISOString());
      const mine = { key: FENCE, text: `${Number.parseInt(text, 10) + 1} ${randomHex()}` };
      const extend = (guard: Guard): Promise<boolean> =>
        store.writeIf(guard, LEASE, `${Date.now() + lease}`);
      // Write the lease before the fence, so that the new fence is never visible without its lease.
      const isTaken = (await extend(before)) && (await store.writeIf(before, FENCE, mine.text));
      if (!isTaken) throw running();
      return leasedState(store, mine, { milliseconds: lease, extend: () => extend(mine) });
    },
  };
}

function leasedState(
  store: SharedStore,
  mine: Guard,
  { milliseconds, extend }: { milliseconds: number; extend: () => Promise<boolean> },
): AgentState {
  const keyOf = (name: string): string => `state/${name}`;
  const fenced = async (write: Promise<boolean>): Promise<void> => {
    if (!(await write)) throw new AgentError('HOME_FENCED', `this process had fence ${mine.text}`);
  };
  return {
    get: async (name) => {
      const text = await store.get(keyOf(name));
      return text === null ? null : base64ToBytes(text);
    },
    put: (name, bytes) => fenced(store.writeIf(mine, keyOf(name), bytesToBase64(bytes))),
    delete: (name) => fenced(store.writeIf(mine, keyOf(name), null)),
    names: async () =>
      (await store.keys()).flatMap((key) => (key.startsWith('state/') ? [key.slice(6)] : [])),
    // Another holder's lease stays.
    close: async () => void (await store.writeIf(mine, LEASE, null)),
    lease: { milliseconds, renew: () => fenced(extend()) },
  };
}

/** @param until when the lease ends; absent if another process took it at this moment */
function running(until?: string): AgentError {
  if (until === undefined) return new AgentError('AGENT_RUNNING', 'another process was faster');
  return new AgentError('AGENT_RUNNING', `leased until ${until}`, { data: { until } });
}

const randomHex = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(8)));

/** Returns a store in memory, which lasts as long as the process. */
export function memoryStore(): SharedStore {
  const texts = new Map<string, string>();
  return {
    get: async (key) => texts.get(key) ?? null,
    keys: async () => [...texts.keys()],
    add: async (key, text) => {
      if (texts.has(key)) return false;
      texts.set(key, text);
      return true;
    },
    writeIf: async (guard, key, text) => {
      if (texts.get(guard.key) !== guard.text) return false;
      if (text === null) texts.delete(key);
      else texts.set(key, text);
      return true;
    },
  };
}

/** Returns a home in memory, whose keys are lost with the process. */
export const memoryHome = (): AgentHome => leasedHome(memoryStore());
