/**
 * Where a node and its CometBFT speak: a folder of its own below the temporary one, since paths of sockets must be short. A process that
 * is killed leaves it there; the next start of the same data directory takes it away.
 */
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PREFIX = 'netd-';
/** As `mkdtemp` ends it. */
const MADE_HERE = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);

/**
 * @param home of CometBFT: its configuration says where the sockets of the start before were
 * @returns a folder that no other user may read or write
 */
export async function makeSockets(home: string): Promise<string> {
  await removeSocketsOfBefore(home);
  return mkdtempSync(join(tmpdir(), PREFIX));
}

/** What belongs to a node that runs stays: a data directory may have been copied. */
async function removeSocketsOfBefore(home: string): Promise<void> {
  const before = socketsOf(home);
  if (before === null || !(await isDead(join(before, 'abci')))) return;
  try {
    for (const entry of readdirSync(before, { withFileTypes: true })) {
      if (entry.isSocket()) rmSync(join(before, entry.name));
    }
    rmdirSync(before);
  } catch {
    // It is gone already, or holds what is not ours: nothing depends on it.
  }
}

/** The folder that the configuration of CometBFT names; null where it names none, or one that was not made here. */
export function socketsOf(home: string): string | null {
  let config: string;
  try {
    config = readFileSync(join(home, 'config/config.toml'), 'utf8');
  } catch {
    return null;
  }
  const [, socket = ''] = /^proxy_app = "unix:\/\/(.*)"$/m.exec(config) ?? [];
  const folder = dirname(socket);
  return MADE_HERE.test(basename(folder)) ? folder : null;
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
