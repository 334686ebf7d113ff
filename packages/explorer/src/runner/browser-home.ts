/** An agent's home in IndexedDB, bounded, and open in one tab or worker at a time. */
import { AgentError, type AgentHome } from '@netd/sdk';

const STORE = 'files';
const SECRET = 'secret/';
/** An agent with one job keeps about ten small files. */
const MOST_FILES = 200;
const MOST_BYTES = 1_048_576;

const doneOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('this browser keeps nothing for this page')),
    );
  });

/** @param name of the database, which holds one home */
export async function browserHome(name: string): Promise<AgentHome> {
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await doneOf(opening);

  const read = async (key: string): Promise<unknown> =>
    doneOf(database.transaction(STORE).objectStore(STORE).get(key));

  /** Resolves once the browser reports that the change is on disk. */
  const change = (work: (files: IDBObjectStore) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('the home of this agent is full')),
      );
      work(transaction.objectStore(STORE));
    });

  const put = (key: string, value: Uint8Array | string): Promise<void> => {
    if (value.length > MOST_BYTES) throw new Error(`${key} is too large for a browser's home`);
    return change((files) => {
      const counted = files.count();
      counted.addEventListener('success', () => {
        if (counted.result >= MOST_FILES) files.transaction.abort();
        else files.put(value, key);
      });
    });
  };

  return {
    readSecret: async (secret) => ((await read(SECRET + secret)) as string | undefined) ?? null,
    writeSecret: async (secret, text) => {
      if ((await read(SECRET + secret)) === undefined) await put(SECRET + secret, text);
    },
    openState: async () => {
      const unlock = await lock(name);
      if (unlock === null) throw new AgentError('AGENT_RUNNING', name);
      return {
        get: async (file) => ((await read(file)) as Uint8Array | undefined) ?? null,
        put: async (file, bytes) => put(file, bytes),
        delete: (file) => change((files) => files.delete(file)),
        names: async () => {
          const keys = await doneOf(database.transaction(STORE).objectStore(STORE).getAllKeys());
          return keys.map(String).filter((key) => !key.startsWith(SECRET));
        },
        close: async () => unlock(),
      };
    },
  };
}

/** Returns null if another tab or worker has the lock. The browser releases it when its holder ends. */
const lock = (name: string): Promise<(() => void) | null> =>
  new Promise((taken, failed) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (held) => {
        if (held === null) return taken(null);
        return new Promise<void>((unlock) => taken(unlock));
      })
      .catch(failed);
  });
