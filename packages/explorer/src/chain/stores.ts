/** Blob stores of this network. The page asks only those that its reader has allowed (docs/decisions/110). */
import { BLOBS_CAPABILITY } from '@netd/protocol';
import { findBlob, placesOf, type FoundBlob, type Place } from '@netd/sdk/internal';
import { client, nodeUrl } from './client.ts';
import { allowedOrigins, nameOrigins } from './named-origins.ts';

const PLACES = 20;
const TIMEOUT = 10_000;

/** Returns the stores that this node runs itself. Its header allows them without a question. */
const ownStores = (): string[] =>
  document.querySelector<HTMLMetaElement>('meta[name=netd-stores]')?.content.split(' ') ?? [];

export interface Stores {
  usable: readonly Place[];
  closed: readonly Place[];
}

export async function findStores(): Promise<Stores> {
  const { beacons } = await client.read('/v1/discovery', {
    capability: BLOBS_CAPABILITY,
    limit: PLACES,
  });
  const isNodeHere = /^(127\.|localhost$|\[::1\]$)/.test(new URL(nodeUrl).hostname);
  // Include stores of a local node. The reader confirms each origin.
  const here = beacons.map(({ endpoint }) => endpoint).filter((endpoint) => URL.canParse(endpoint));
  const all = placesOf(beacons, nodeUrl, isNodeHere ? here : allowedOrigins());
  const isAllowed = ({ origin }: Place): boolean =>
    origin === nodeUrl || allowedOrigins().includes(origin) || ownStores().includes(origin);
  return {
    usable: all.filter(isAllowed),
    closed: all.filter((place) => !isAllowed(place)),
  };
}

export const allowStores = (places: readonly Place[]): Promise<void> =>
  nameOrigins([...allowedOrigins(), ...places.map(({ origin }) => origin)]);

/** Returns verified bytes; `absent` if all allowed stores lack them, `unknown` if one is busy. */
export async function fetchBlob(hash: string, { usable }: Stores): Promise<FoundBlob> {
  const origins = usable.map(({ origin }) => origin);
  return findBlob(hash, origins, { timeout: TIMEOUT });
}
