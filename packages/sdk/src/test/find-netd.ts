/** Finds the program netd: by option, by $NETD, on the PATH, or in the surrounding project or checkout. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NetSdkError } from '@netd/protocol';
import { defaultUrl } from '../http.ts';

/** The laboratory could not be started. The message says why, and what to do. */
export class NetworkStartError extends NetSdkError {
  override name = 'NetworkStartError';

  /** @param code of netd's exit, such as FORK_OTHER_VERSION; null if netd did not run */
  constructor(message: string, code: string | null = null) {
    super(message, { code: code ?? 'NETWORK_NOT_STARTED' });
  }
}

const NAMES = process.platform === 'win32' ? ['netd.cmd', 'netd.exe'] : ['netd'];

export function findNetd(named?: string): string {
  const configured = named ?? process.env['NETD'];
  if (configured !== undefined && configured !== '') {
    if (isProgram(configured)) return configured;
    const where = named === undefined ? 'the environment variable NETD' : 'the option netd';
    throw new NetworkStartError(
      `${configured}, which ${where} names, is no program that can be run`,
    );
  }
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...above(process.cwd()),
    ...above(here),
  ];
  for (const folder of folders) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (isProgram(path)) return path;
    }
  }
  throw new NetworkStartError(
    `there is no netd: install what a node hands out, npm install ${defaultUrl()}/downloads/netd.tgz, or name the program in the environment variable NETD or by the option netd`,
  );
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return [join(folder, 'node_modules', '.bin'), ...(parent === folder ? [] : above(parent))];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
