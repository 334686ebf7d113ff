import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { CLOCK_BOUND_MILLISECONDS, LEAST_FREE_BYTES } from '@netd/engine';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { isPlausibleTime } from '@netd/node/plausible-time';
import { VERSION } from '@netd/protocol/version';
import { maxOpenFiles, RESERVED_FILES } from '@netd/server/open-files';
import { IS_INSTALLED } from '../installed.ts';
import { fault, type Finding, good, warning } from './finding.ts';

const COMFORTABLE_BYTES = 16 * LEAST_FREE_BYTES;
const COMFORTABLE_CONNECTIONS = 1_024;
/** Seconds that the clock may be wrong. A node signs the time of its blocks. */
const MOST_CLOCK_SECONDS = 5;
const ANSWER_MILLISECONDS = 3_000;
const MEBIBYTE = 1_048_576;

export function versions(): Finding {
  const way = IS_INSTALLED ? 'a package' : 'a checkout';
  // The launcher refuses older Node versions.
  return good(
    'versions',
    `netd ${VERSION} from ${way}, Node ${process.versions.node} at ${process.execPath}, ${platform()} ${arch()}`,
  );
}

export function disk(dataDir: string, comfortable = COMFORTABLE_BYTES): Finding {
  const place = nearestThatIs(dataDir);
  try {
    if (!statSync(place).isDirectory()) throw new Error('no directory');
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fault(
      'disk',
      `${place} is no directory that this user may write to`,
      'Choose another --data-dir, or let this user write there.',
    );
  }
  const { blocks, bavail, bsize } = statfsSync(place);
  if (blocks === 0) return good('disk', `${place}, on a file system that does not tell its size`);
  const free = bavail * bsize;
  const found = `${Math.floor(free / MEBIBYTE)} MiB free for ${dataDir}`;
  if (free < LEAST_FREE_BYTES) {
    const least = `${LEAST_FREE_BYTES / MEBIBYTE} MiB`;
    return fault('disk', found, `Free some: below ${least} a node takes no writes.`);
  }
  return free < comfortable
    ? warning('disk', found, 'Free some soon: the database grows with every write.')
    : good('disk', found);
}

/** Checks CometBFT if the directory is of one validator of several. */
export async function engine(dataDir: string): Promise<Finding[]> {
  if (!existsSync(join(dataDir, 'cometbft'))) return [];
  const path = cometbftPath(defaultEngineDir());
  try {
    await requireCometbft(path);
    return [good('engine', `CometBFT in ${path}`)];
  } catch (error) {
    const [found = ''] = (error as Error).message.split(':');
    const todo = 'Run netd engine install, or name its directory with NET_ENGINE_DIR.';
    return [fault('engine', found, todo)];
  }
}

export function keys(dataDir: string): Finding {
  const folder = join(dataDir, 'keys');
  if (!existsSync(folder)) return good('keys', 'none yet: the first start makes them');
  if (platform() === 'win32') return good('keys', `in ${folder}`);
  const open = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .filter(({ name }) => (statSync(join(folder, name)).mode & 0o077) !== 0)
    .map(({ name }) => join(folder, name));
  if (open.length === 0) return good('keys', `in ${folder}, for their owner alone`);
  return fault(
    'keys',
    `others may read ${open.join(', ')}`,
    `chmod 600 ${open.join(' ')}; and rotate a key that others could reach: netd keys rotate.`,
  );
}

/**
 * Compares the clock with the last local block, and with a node if it runs.
 * @param lastBlockTime milliseconds since 1970; null without a local block
 * @param now for tests
 */
export async function clock(
  url: string,
  lastBlockTime: number | null = null,
  now = Date.now(),
): Promise<Finding> {
  const here = new Date(now).toISOString();
  if (!isPlausibleTime(now)) {
    return fault(
      'clock',
      `this machine says ${here}, years from when this version was made`,
      'Set the clock right: blocks and signatures are dated by it.',
    );
  }
  const ahead = (lastBlockTime ?? now) - now;
  if (lastBlockTime !== null && ahead > CLOCK_BOUND_MILLISECONDS) {
    return fault(
      'clock',
      `${here}; the last block here is of ${new Date(lastBlockTime).toISOString()}, ${Math.round(ahead / 1_000)} s ahead`,
      'Set the clock right if it is slow. If the block was made by a fast clock, no block is made until that time has passed.',
    );
  }
  const there = await dateOf(url);
  if (there === null) return good('clock', `${here}; no node at ${url} to compare it with`);
  const seconds = Math.round((Date.now() - there) / 1_000);
  if (Math.abs(seconds) <= MOST_CLOCK_SECONDS) return good('clock', `${here}, as ${url} has it`);
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return warning(
    'clock',
    `${Math.abs(seconds)} s ${way} ${url}`,
    'Let a time service keep the clock (systemd-timesyncd, chrony), on the machine that is wrong.',
  );
}

async function dateOf(url: string): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    const { headers } = await fetch(`${url.replace(/\/+$/, '')}/livez`, { signal });
    const date = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(date) ? null : date;
  } catch {
    return null;
  }
}

export function openFiles(): Finding {
  const most = maxOpenFiles();
  if (most === Infinity) return good('open files', 'no limit that this system tells');
  const connections = most - RESERVED_FILES;
  const found = `${most}, which leaves ${Math.max(0, connections)} for connections`;
  const todo = 'Allow more: ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit.';
  if (connections < 64) return fault('open files', found, todo);
  return connections < COMFORTABLE_CONNECTIONS
    ? warning('open files', found, todo)
    : good('open files', found);
}

export async function port(number: number, what: string): Promise<Finding> {
  const about = `port ${number}`;
  const error = await listenOnce(number);
  if (error === null) return good(about, `free for ${what}`);
  if (error !== 'EADDRINUSE') {
    return fault(about, `${what} cannot listen there (${error})`, 'Choose another with --port.');
  }
  const version = await versionAt(number);
  if (version === null) {
    return fault(
      about,
      'another program listens there',
      `Stop it, or choose another with --port: ss -ltnp 'sport = :${number}' names it.`,
    );
  }
  return version === VERSION || version === ''
    ? good(about, 'taken by netd, which answers')
    : warning(
        about,
        `taken by netd ${version}, and this is ${VERSION}`,
        'Stop it and start this one, or use its own command.',
      );
}

function listenOnce(number: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'UNKNOWN' }: NodeJS.ErrnoException) => resolve(code));
    server.listen(number, '127.0.0.1', () => server.close(() => resolve(null)));
  });
}

async function versionAt(number: number): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    const answer = await fetch(`http://127.0.0.1:${number}/health`, { signal });
    const { schema, version } = (await answer.json()) as { schema?: string; version?: string };
    return schema?.startsWith('NET-') === true ? (version ?? '') : null;
  } catch {
    return null;
  }
}

function nearestThatIs(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThatIs(dirname(path));
}
