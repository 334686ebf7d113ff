/** How this command is called here, so that what is printed works when it is copied. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The data directory of a command that is not told. */
const defaultDataDir = (): string => process.env['NET_DATA_DIR'] ?? '.netd';

export interface SameOptions {
  as?: string;
  url?: string;
  key?: string;
  dataDir?: string;
}

/** What has to follow a command to copy, so that it means the same agent and node as this one. */
export function sameOptions({ as, url, key, dataDir }: SameOptions): string {
  const options = [
    ['--as', as],
    ['--url', url],
    ['--key', key],
    ['--data-dir', dataDir === defaultDataDir() ? undefined : dataDir],
  ];
  return options
    .map(([name, value]) => (value === undefined ? '' : ` ${name} ${shellWord(value)}`))
    .join('');
}

/** The node alone, where it was named. */
export const sameNode = (url: string | undefined): string =>
  sameOptions(url === undefined ? {} : { url });

/** As a shell takes it for one word. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Which command line this process is. */
let own = 'netd';

export function nameProgram(name: string): void {
  own = name;
}

export function programName(env: NodeJS.ProcessEnv = process.env): string {
  // npm puts its own folders into the path; the person at the terminal does not have them there.
  if (env['npm_command'] !== undefined) return `npx ${own}`;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, own))) ? own : `npx ${own}`;
}
