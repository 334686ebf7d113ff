/**
 * Stores sealed key files, and each signed envelope before it is sent. An envelope that cannot be stored is
 * not sent.
 */
import type { JsonObject, Receipt } from '@netd/protocol';
import type { KeyFile } from './key-files.ts';

export interface KeptKeys {
  /** `<genesis hash>/<actor>`, because chains may have equal names. */
  id: string;
  actorId: string;
  chainId: string;
  genesisHash: string;
  files: readonly KeyFile[];
  passkey?: KeptPasskey;
}

export interface KeptPasskey {
  credentialId: Uint8Array<ArrayBuffer>;
  salt: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  /** The passphrase, sealed for exactly these files. */
  wrapped: Uint8Array<ArrayBuffer>;
}

export interface KeptAct {
  /** The hash of the signed envelope, which is also the transition's. */
  id: string;
  actorId: string;
  chainId: string;
  genesisHash: string;
  path: string;
  envelope: JsonObject;
  /** `signed`: the outcome is unknown. */
  state: 'signed' | 'committed' | 'refused';
  receipt: Receipt | null;
  refusal: string | null;
  signedAt: number;
}

class StorageRefusedError extends Error {
  override name = 'StorageRefusedError';
}

const NAME = 'netd-wallet';
const ACTS_KEPT = 200;
let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('keys', { keyPath: 'id' });
      request.result.createObjectStore('acts', { keyPath: 'id' });
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
    request.addEventListener('blocked', () => reject(new Error('blocked')));
  });
  opened.catch(() => (opened = null));
  return opened;
}

/** Resolves once the browser reports that the change is on disk. */
async function change(store: 'keys' | 'acts', work: (on: IDBObjectStore) => void): Promise<void> {
  try {
    const open = await database();
    await new Promise<void>((resolve, reject) => {
      const transaction = open.transaction(store, 'readwrite', { durability: 'strict' });
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('aborted')),
      );
      work(transaction.objectStore(store));
    });
  } catch (error) {
    throw new StorageRefusedError('this browser keeps nothing for this page', { cause: error });
  }
  tellOthers();
}

async function all<Kept>(store: 'keys' | 'acts'): Promise<Kept[]> {
  try {
    const open = await database();
    return await new Promise((resolve, reject) => {
      const request = open.transaction(store).objectStore(store).getAll();
      request.addEventListener('success', () => resolve(request.result as Kept[]));
      request.addEventListener('error', () => reject(request.error ?? new Error('refused')));
    });
  } catch {
    return [];
  }
}

export const keptKeys = (): Promise<KeptKeys[]> => all<KeptKeys>('keys');

/** Stores key files. Their passkey stays if the files are unchanged. */
export const keepKeys = (keys: Omit<KeptKeys, 'passkey'>): Promise<void> =>
  changeKept(keys.id, (before) =>
    before?.passkey && sameFiles(before.files, keys.files)
      ? { ...keys, passkey: before.passkey }
      : keys,
  );

export const keepPasskey = (id: string, passkey: KeptPasskey | null): Promise<void> =>
  changeKept(id, (before) => {
    if (before === undefined) return null;
    const { passkey: _, ...keys } = before;
    return passkey === null ? keys : { ...keys, passkey };
  });

const changeKept = (
  id: string,
  next: (before: KeptKeys | undefined) => KeptKeys | null,
): Promise<void> =>
  change('keys', (on) => {
    const request = on.get(id);
    request.addEventListener('success', () => {
      const keys = next(request.result as KeptKeys | undefined);
      if (keys !== null) on.put(keys);
    });
  });

const sameFiles = (one: readonly KeyFile[], other: readonly KeyFile[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]?.text);

export const forgetKeys = (id: string): Promise<void> => change('keys', (on) => on.delete(id));

/** Acts that could not be stored. They are lost when the page closes. */
const unkept = new Map<string, KeptAct>();

export async function keptActs(genesisHash: string, actorId: string): Promise<KeptAct[]> {
  const known = new Map((await all<KeptAct>('acts')).map((one) => [one.id, one] as const));
  // Prefer the outcome in memory. Otherwise the act would stay open and block others of its kind.
  for (const [id, one] of unkept) {
    if ((known.get(id)?.state ?? 'signed') === 'signed') known.set(id, one);
  }
  return [...known.values()]
    .filter((one) => one.genesisHash === genesisHash && one.actorId === actorId)
    .toSorted((a, b) => b.signedAt - a.signedAt);
}

export async function keepAct(act: KeptAct): Promise<void> {
  await change('acts', (on) => on.put(act));
  unkept.delete(act.id);
  await forgetOldest(act);
}

/** Remembers an act that was saved as a file, or whose outcome could not be stored. */
export function rememberUnkept(act: KeptAct): void {
  unkept.set(act.id, act);
  tell();
}

/** Number of open reviews of an act on this page, by its id. Zero once the last one is closed. */
const inReview = new Map<string, number>();

/**
 * Keeps an act out of the list of unconfirmed ones while a review shows it.
 * @returns a function to call when the review closes
 */
export function showInReview(id: string): () => void {
  const by = (more: number): void => {
    inReview.set(id, (inReview.get(id) ?? 0) + more);
    tell();
  };
  by(1);
  return () => by(-1);
}

/**
 * Returns true if the outcome of an act is unknown and nothing else on this page shows it.
 * @param since milliseconds; later acts of another tab may still be in flight
 */
export const isUnconfirmed = ({ id, state, signedAt }: KeptAct, since: number): boolean => {
  const reviews = inReview.get(id);
  return state === 'signed' && (reviews === undefined ? signedAt < since : reviews === 0);
};

export async function noteFate(act: KeptAct): Promise<void> {
  try {
    await keepAct(act);
  } catch {
    rememberUnkept(act);
  }
}

async function forgetOldest({ genesisHash, actorId }: KeptAct): Promise<void> {
  const acts = await keptActs(genesisHash, actorId);
  // Acts that may still be executed are never forgotten.
  const old = acts.filter(({ state }) => state === 'committed').slice(ACTS_KEPT);
  if (old.length === 0) return;
  await change('acts', (on) => old.forEach(({ id }) => on.delete(id)));
}

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(NAME) : null;
const listeners = new Set<() => void>();

/**
 * Listens for changes by any tab.
 * @returns a function that unsubscribes
 */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const tell = (): void => listeners.forEach((listener) => listener());
channel?.addEventListener('message', tell);

function tellOthers(): void {
  // A channel has no target origin; its listeners have this one.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage('kept');
  tell();
}
