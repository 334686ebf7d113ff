import type { NetClient } from '@netd/sdk';
import { BLOBS_CAPABILITY } from '@netd/protocol';
import { placesOf, reachableOrigin, reachOf, type Reach } from '@netd/sdk/internal';
import { Option, type Command } from 'commander';
import { readDataDirFacts } from './data-dir-facts.ts';
import { origins } from './option-values.ts';

export interface BlobOptions {
  blobs?: readonly string[];
}

export function addBlobOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--blobs <origins>',
      'origins of netd blobs, with commas between (default: those of dev.json or of the beacons with the capability blobs)',
    )
      .env('NET_BLOBS')
      .argParser(origins),
  );
}

export function namedOrigins({
  blobs,
  dataDir,
}: BlobOptions & { dataDir: string }): readonly string[] | undefined {
  if (blobs) return blobs;
  const here = readDataDirFacts(dataDir)?.blobs?.map(({ url }) => url) ?? [];
  return here.length === 0 ? undefined : here;
}

export async function knownOrigins(
  client: NetClient,
  options: BlobOptions & { dataDir: string },
): Promise<{ origins: string[]; reach: Reach }> {
  const named = namedOrigins(options)?.map(reachableOrigin);
  if (named) return { origins: named, reach: reachOf(client.url, [], named) };
  const stores = { capability: BLOBS_CAPABILITY, limit: 100 };
  const { beacons } = await client.read('/v1/discovery', stores);
  const places = placesOf(beacons, client.url);
  return { origins: places.map(({ origin }) => origin), reach: reachOf(client.url, places) };
}
