/** Keys in IndexedDB: scripts can sign with them, but not export them. */
import { AgentKey, type KeyHandle } from './agent-key.ts';

const STORE = 'keys';

/** Keys by actor id. They belong to the page's origin and persist. */
export class BrowserKeyStore {
  private readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  /**
   * @param name of the database, if a page has several
   * @throws TypeError without IndexedDB: in Node, use key files
   */
  static async open(name = 'net-sdk'): Promise<BrowserKeyStore> {
    const { indexedDB } = globalThis as { indexedDB?: Factory };
    if (!indexedDB) throw new TypeError('there is no IndexedDB here: keep the key in a file');
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    return new BrowserKeyStore(await resultOf(request));
  }

  /** Returns the key of an actor, or null. */
  async get(actorId: string): Promise<AgentKey | null> {
    const request = this.store('readonly').get(actorId);
    const handle = await resultOf(request);
    return handle === undefined ? null : AgentKey.fromHandle(handle);
  }

  /**
   * Adds a key. Never overwrites one, because a lost key is a lost agent.
   * @throws Error if the actor has a key already
   */
  async add(actorId: string, key: AgentKey): Promise<void> {
    await resultOf(this.store('readwrite').add(key.handle(), actorId));
  }

  /** Returns the actor's key. Creates a missing one; two pages at once get the same one. */
  async getOrCreate(actorId: string): Promise<AgentKey> {
    const known = await this.get(actorId);
    if (known) return known;
    const fresh = await AgentKey.generate();
    await this.add(actorId, fresh).catch((error: unknown) => {
      if ((error as { name?: unknown }).name !== 'ConstraintError') throw error;
    });
    return (await this.get(actorId)) ?? fresh;
  }

  /** Deletes the key of an actor for good. */
  async delete(actorId: string): Promise<void> {
    await resultOf(this.store('readwrite').delete(actorId));
  }

  /** Closes the database, so that another page can upgrade or delete it. */
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

// Types of IndexedDB 3.0 (W3C), because Node has no browser types.
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
