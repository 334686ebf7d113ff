import type { SharedStore } from '@netd/sdk';

/** Sends a command to Valkey or Redis, for example `(args) => client.sendCommand(args)`. */
export type ValkeyCall = (args: [string, ...string[]]) => Promise<unknown>;

/** A script runs alone on the server, so nothing comes between comparing and writing. */
const WRITE_IF = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[4] then redis.call('HSET', KEYS[1], ARGV[3], ARGV[4]) else redis.call('HDEL', KEYS[1], ARGV[3]) end
return 1`;

/**
 * Returns a store in a hash of Valkey or Redis, for one agent. The server must keep what it acknowledged:
 * `appendonly yes` and `appendfsync always`. A failover to a replica that lacks a write loses a fence or a
 * signed envelope, so an agent that pays under ids of its own belongs into Postgres.
 * @param hash the key of the hash, such as 'netd:ada'
 */
export function valkeyStore(call: ValkeyCall, hash: string): SharedStore {
  return {
    get: async (key) => (await call(['HGET', hash, key])) as string | null,
    keys: async () => (await call(['HKEYS', hash])) as string[],
    add: async (key, text) => Number(await call(['HSETNX', hash, key, text])) === 1,
    writeIf: async (guard, key, text) => {
      const change = text === null ? [key] : [key, text];
      const wrote = await call(['EVAL', WRITE_IF, '1', hash, guard.key, guard.text, ...change]);
      return Number(wrote) === 1;
    },
  };
}
