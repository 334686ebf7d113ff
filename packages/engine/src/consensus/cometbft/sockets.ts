/** The sockets are in the temporary directory, because their paths must be short. */
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PREFIX = 'netd-';
const MADE_HERE = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);

/** @param home of CometBFT, whose configuration names the last sockets */
export async function makeSockets(home: string): Promise<string> {
  await removeSocketsOfBefore(home);
  return mkdtempSync(join(tmpdir(), PREFIX));
}

/** Leaves the sockets of a running node, because this data directory may be a copy of its. */
async function removeSocketsOfBefore(home: string): Promise<void> {
  const before = socketsOf(home);
  if (before === null || !(await isDead(join(before, 'abci')))) return;
  try {
    for (const entry of readdirSync(before, { withFileTypes: true })) {
      if (entry.isSocket()) rmSync(join(before, entry.name));
    }
    rmdirSync(before);
  } catch {}
}

/** Returns the folder from CometBFT's configuration; null if `makeSockets` did not make it. */
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
