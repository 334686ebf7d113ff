/**
 * The stores of blobs that this network announces, and what lies in them. The page may ask those that its reader has allowed, and no
 * others (docs/decisions/110).
 */
import { BLOBS_CAPABILITY } from '@netd/protocol';
import { findBlob, placesOf, type FoundBlob, type Place } from '@netd/sdk/internal';
import { client, nodeUrl } from './client.ts';
import { allowedOrigins, nameOrigins } from './named-origins.ts';

const PLACES = 20;
/** Milliseconds for what one store is asked. */
const TIMEOUT = 10_000;

export interface Stores {
  /** Stores that this page may ask. */
  usable: readonly Place[];
  /** Stores that this page may not ask yet. */
  closed: readonly Place[];
}

export async function findStores(): Promise<Stores> {
  const { beacons } = await client.read('/v1/discovery', {
    capability: BLOBS_CAPABILITY,
    limit: PLACES,
  });
  const isNodeHere = /^(127\.|localhost$|\[::1\]$)/.test(new URL(nodeUrl).hostname);
  // The reader allows each origin before it is asked, so stores beside a node on this machine may stand in the list.
  const here = beacons.map(({ endpoint }) => endpoint).filter((endpoint) => URL.canParse(endpoint));
  const all = placesOf(beacons, nodeUrl, isNodeHere ? here : allowedOrigins());
  const isAllowed = ({ origin }: Place): boolean =>
    origin === nodeUrl || allowedOrigins().includes(origin);
  return {
    usable: all.filter(isAllowed),
    closed: all.filter((place) => !isAllowed(place)),
  };
}

/**
 * Allows these stores, too.
 * @throws Error if the node does not take them
 */
export const allowStores = (places: readonly Place[]): Promise<void> =>
  nameOrigins([...allowedOrigins(), ...places.map(({ origin }) => origin)]);

/** The bytes of a hash, checked against it; `absent` where each store that may be asked says so, `unknown` where one is busy. */
export async function fetchBlob(hash: string, { usable }: Stores): Promise<FoundBlob> {
  const origins = usable.map(({ origin }) => origin);
  return findBlob(hash, origins, { timeout: TIMEOUT });
}
