/** Where blobs are: the origins that were named, or that a node here or the network announces. */
import type { NetClient } from '@netd/sdk';
import { BLOBS_CAPABILITY } from '@netd/protocol';
import { placesOf, reachableOrigin } from '@netd/sdk/internal';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { readDataDirFacts } from './data-dir-facts.ts';
import { httpUrl } from './option-values.ts';

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

/** The origins that were named or that run here; undefined where the network is to be asked. */
export function namedOrigins({
  blobs,
  dataDir,
}: BlobOptions & { dataDir: string }): readonly string[] | undefined {
  if (blobs) return blobs;
  const here = readDataDirFacts(dataDir)?.blobs?.map(({ url }) => url) ?? [];
  return here.length === 0 ? undefined : here;
}

/** All that may have a blob; on this machine by plain HTTP on the same port. */
export async function knownOrigins(
  client: NetClient,
  options: BlobOptions & { dataDir: string },
): Promise<string[]> {
  const named = namedOrigins(options);
  if (named) return named.map(reachableOrigin);
  const stores = { capability: BLOBS_CAPABILITY, limit: 100 };
  const { beacons } = await client.read('/v1/discovery', stores);
  return placesOf(beacons, client.url).map(({ origin }) => origin);
}

function origins(text: string): string[] {
  return text.split(',').map((word) => {
    const { origin, href } = new URL(httpUrl(word.trim()));
    if (href !== `${origin}/`) throw new InvalidArgumentError('An origin has no path.');
    return origin;
  });
}
