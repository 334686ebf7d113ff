/** Keys of a page, in its IndexedDB: handles that sign, and that no script can turn into bytes. */
import { AgentKey, type KeyHandle } from './agent-key.ts';

const STORE = 'keys';

/** Keys by the id of their actor. They belong to the origin of the page, and stay when it is closed. */
export class BrowserKeyStore {
  private readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  /**
   * @param name of the database, for pages that keep several
   * @throws TypeError where there is no IndexedDB: in Node, use key files
   */
  static async open(name = 'net-sdk'): Promise<BrowserKeyStore> {
    const { indexedDB } = globalThis as { indexedDB?: Factory };
    if (!indexedDB) throw new TypeError('there is no IndexedDB here: keep the key in a file');
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    return new BrowserKeyStore(await resultOf(request));
  }

  /** The key of an actor, or null. */
  async get(actorId: string): Promise<AgentKey | null> {
    const request = this.store('readonly').get(actorId);
    const handle = await resultOf(request);
    return handle === undefined ? null : AgentKey.fromHandle(handle);
  }

  /**
   * Keeps a key. One that is there stays: a key that is lost is an agent that is lost.
   * @throws Error where the actor has a key already
   */
  async add(actorId: string, key: AgentKey): Promise<void> {
    await resultOf(this.store('readwrite').add(key.handle(), actorId));
  }

  /** The key of an actor, made now where there is none; of two pages at once, both get the same. */
  async getOrCreate(actorId: string): Promise<AgentKey> {
    const known = await this.get(actorId);
    if (known) return known;
    const fresh = await AgentKey.generate();
    await this.add(actorId, fresh).catch((error: unknown) => {
      if ((error as { name?: unknown }).name !== 'ConstraintError') throw error;
    });
    return (await this.get(actorId)) ?? fresh;
  }

  /** Forgets a key for good. */
  async delete(actorId: string): Promise<void> {
    await resultOf(this.store('readwrite').delete(actorId));
  }

  close(): void {
    this.database.close();
  }

  private store(mode: 'readonly' | 'readwrite'): ObjectStore {
    return this.database.transaction(STORE, mode).objectStore(STORE);
  }
}

async function resultOf<Result>(request: Request<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('IndexedDB refused')),
    );
  });
}

// What is used of IndexedDB (W3C Indexed Database API 3.0): the types of browsers are not those of Node.
interface Request<Result> {
  readonly result: Result;
  readonly error: Error | null;
  addEventListener: (type: 'success' | 'error' | 'upgradeneeded', then: () => void) => void;
}
interface Factory {
  open: (name: string, version: number) => Request<Database>;
}
interface Database {
  createObjectStore: (name: string) => unknown;
  transaction: (store: string, mode: string) => { objectStore: (name: string) => ObjectStore };
  close: () => void;
}
interface ObjectStore {
  get: (key: string) => Request<KeyHandle | undefined>;
  add: (value: KeyHandle, key: string) => Request<unknown>;
  delete: (key: string) => Request<unknown>;
}
