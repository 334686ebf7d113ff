import type { SharedStore } from '@netd/sdk';

/** The part of a Durable Object's `ctx.storage` that an agent needs. */
export interface DurableStorage {
  get(key: string): Promise<unknown>;
  list(options: { prefix: string }): Promise<Map<string, unknown>>;
  transaction<Result>(
    work: (storage: {
      get(key: string): Promise<unknown>;
      put(key: string, value: unknown): Promise<void>;
      delete(key: string): Promise<boolean>;
    }) => Promise<Result>,
  ): Promise<Result>;
}

const PREFIX = 'netd/';

/**
 * Returns a store in the storage of a Durable Object, for one agent: `leasedHome(durableObjectStore(ctx.storage))`.
 * A value there has at most 2 MB (128 KiB without SQLite), which bounds the results and answers of the agent to
 * three quarters of that.
 */
export function durableObjectStore(storage: DurableStorage): SharedStore {
  return {
    get: async (key) => ((await storage.get(PREFIX + key)) as string | undefined) ?? null,
    keys: async () =>
      [...(await storage.list({ prefix: PREFIX })).keys()].map((key) => key.slice(PREFIX.length)),
    add: async (key, text) =>
      storage.transaction(async (at) => {
        if ((await at.get(PREFIX + key)) !== undefined) return false;
        await at.put(PREFIX + key, text);
        return true;
      }),
    writeIf: async (guard, key, text) =>
      storage.transaction(async (at) => {
        if ((await at.get(PREFIX + guard.key)) !== guard.text) return false;
        if (text === null) await at.delete(PREFIX + key);
        else await at.put(PREFIX + key, text);
        return true;
      }),
  };
}
