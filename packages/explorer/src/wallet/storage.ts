/**
 * What the wallet keeps in this browser: sealed key files, for convenience, and each signed envelope before it is sent. Where the browser
 * refuses, callers are told: an envelope that is not kept is not sent.
 */
import type { JsonObject, Receipt } from '@netd/protocol';
import type { KeyFile } from './key-files.ts';

export interface KeptKeys {
  /** `<genesis hash>/<actor>`: a chain may be given the name of another. */
  id: string;
  actorId: string;
  chainId: string;
  genesisHash: string;
  /** Sealed with a passphrase, all of them. */
  files: readonly KeyFile[];
  /** The passkey that opens these files in place of the passphrase. */
  passkey?: KeptPasskey;
}

/** `wallet/passkeys.ts` says what it is good for. */
export interface KeptPasskey {
  /** The id by which the browser finds the passkey. */
  credentialId: Uint8Array<ArrayBuffer>;
  /** The salt with which the passkey is asked for its secret; another one for each passkey. */
  salt: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  /** The passphrase, sealed for exactly these files. */
  wrapped: Uint8Array<ArrayBuffer>;
}

export interface KeptAct {
  /** The hash of the signed envelope: what the chain calls the transition. */
  id: string;
  actorId: string;
  chainId: string;
  genesisHash: string;
  /** The path of the node that it is posted to. */
  path: string;
  envelope: JsonObject;
  /** `signed`: it may have happened or not. */
  state: 'signed' | 'committed' | 'refused';
  receipt: Receipt | null;
  refusal: string | null;
  /** Milliseconds since 1970. */
  signedAt: number;
}

/** The browser keeps nothing here: private windows, full disks, and settings of its user. */
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

/** Done when it is on disk, as far as the browser tells. */
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

/** A passkey stays with the files that it was set up for, and goes with them. */
export const keepKeys = (keys: Omit<KeptKeys, 'passkey'>): Promise<void> =>
  changeKept(keys.id, (before) =>
    before?.passkey && sameFiles(before.files, keys.files)
      ? { ...keys, passkey: before.passkey }
      : keys,
  );

/** @param passkey null takes it away */
export const keepPasskey = (id: string, passkey: KeptPasskey | null): Promise<void> =>
  changeKept(id, (before) => {
    if (before === undefined) return null;
    const { passkey: _, ...keys } = before;
    return passkey === null ? keys : { ...keys, passkey };
  });

/** @param next from what is kept to what shall be; null changes nothing */
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

/** Acts that could not be kept, as long as the page is there. */
const unkept = new Map<string, KeptAct>();

/** The newest first. */
export async function keptActs(genesisHash: string, actorId: string): Promise<KeptAct[]> {
  const known = new Map((await all<KeptAct>('acts')).map((one) => [one.id, one] as const));
  // What became of an act, and found no room beside it, counts: else the act would stay open, and none of its kind could be signed.
  for (const [id, one] of unkept) {
    if ((known.get(id)?.state ?? 'signed') === 'signed') known.set(id, one);
  }
  return [...known.values()]
    .filter((one) => one.genesisHash === genesisHash && one.actorId === actorId)
    .toSorted((a, b) => b.signedAt - a.signedAt);
}

/** @throws StorageRefusedError */
export async function keepAct(act: KeptAct): Promise<void> {
  await change('acts', (on) => on.put(act));
  unkept.delete(act.id);
  await forgetOldest(act);
}

/** Remembers, in the page only, an act that the person has saved as a file, or whose fate could not be written. */
export function rememberUnkept(act: KeptAct): void {
  unkept.set(act.id, act);
  tell();
}

/** What became of an act that is kept already; where it cannot be written any more, the page remembers it. */
export async function noteFate(act: KeptAct): Promise<void> {
  try {
    await keepAct(act);
  } catch {
    rememberUnkept(act);
  }
}

async function forgetOldest({ genesisHash, actorId }: KeptAct): Promise<void> {
  const acts = await keptActs(genesisHash, actorId);
  // What may still happen is never forgotten.
  const old = acts.filter(({ state }) => state === 'committed').slice(ACTS_KEPT);
  if (old.length === 0) return;
  await change('acts', (on) => old.forEach(({ id }) => on.delete(id)));
}

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(NAME) : null;
const listeners = new Set<() => void>();

/** Calls when this tab or another one has kept something. @returns what ends it */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const tell = (): void => listeners.forEach((listener) => listener());
channel?.addEventListener('message', tell);

function tellOthers(): void {
  // A channel, which has no origin to name: its listeners are of this one.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage('kept');
  tell();
}
