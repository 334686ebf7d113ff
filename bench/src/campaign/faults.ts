/** Faults of a round beside the kill: how the node starts, and its surroundings. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RESERVED_FILES } from '@netd/server/open-files';
import type { Random } from '@netd/testkit/simulation';
import type { StartWay } from '../netd-process.ts';

export const FAULTS = [
  'kill',
  'failpoint',
  'checkpoint',
  'full disk',
  'clock',
  'descriptors',
  'hostile clients',
  'read-only disk',
  'torn page',
] as const;
export type Fault = (typeof FAULTS)[number];

const CLOCK = new URL('skewed-clock.ts', import.meta.url).href;
const HOUR = 3_600_000;
const CLOCK_ERRORS = [-HOUR, HOUR, -10_000, 10_000, 87_600 * HOUR, -87_600 * HOUR];
const BLOCK_POINTS = [
  'block.built',
  'block.certified',
  'block.writing',
  'block.durable',
  'block.answered',
];
const CHECKPOINT_POINTS = ['checkpoint.chunk', 'checkpoint.finished'];
/** Connections left by the file limit; few enough for clients to reach it. */
const CONNECTIONS = 64;

/** Runs a command under a shell limit. */
const limited = (limit: string): readonly string[] => ['bash', '-c', `${limit}; exec "$0" "$@"`];

/** Returns the start for a round with a fault. */
export function wayOf(fault: Fault, random: Random, dataDir: string, height: number): StartWay {
  switch (fault) {
    case 'failpoint': {
      // A block of the first seconds.
      const point = `${random.pick(BLOCK_POINTS)}@${height + 2 + random.below(20)}`;
      return { environment: { NET_FAILPOINT: point } };
    }
    case 'checkpoint':
      return { environment: { NET_FAILPOINT: random.pick(CHECKPOINT_POINTS) } };
    case 'full disk': {
      // Limits files to so many KiB; writes beyond fail as on a full disk.
      const room = 16 + random.below(400);
      return { through: limited(`ulimit -f ${kibibytesOf(dataDir) + room}`), errors: 'ignore' };
    }
    case 'descriptors':
      return { through: limited(`ulimit -n ${RESERVED_FILES + CONNECTIONS}`) };
    case 'clock': {
      const wrong = random.pick(CLOCK_ERRORS);
      const from = 0.1 + random.next() / 2;
      const plan = `${from}:${wrong},${from + 0.4 + random.next() / 2}:0`;
      const imported = `${process.env['NODE_OPTIONS'] ?? ''} --import=${CLOCK}`;
      return { environment: { NODE_OPTIONS: imported, NET_CLOCK_PLAN: plan }, errors: 'ignore' };
    }
    default:
      return {};
  }
}

/** Returns a start on a read-only data directory, which must exit and change nothing. */
export function readOnlyWay(dataDir: string): StartWay {
  const mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return {
    through: ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mounted, dataDir],
    errors: 'ignore',
  };
}

/** Returns the size of the largest file in a directory. */
function kibibytesOf(directory: string): number {
  const sizes = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return Math.ceil(Math.max(...sizes) / 1_024);
}
