/** How this command is called here, so that what is printed works when it is copied. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The data directory of a command without `--data-dir`. */
const defaultDataDir = (): string => process.env['NET_DATA_DIR'] ?? '.netd';

export interface SameOptions {
  as?: string;
  url?: string;
  key?: string;
  dataDir?: string;
}

/** The options with which a command that we print means the same agent and node as this one. */
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

/** The option that names the node; empty where none was named. */
export const sameNode = (url: string | undefined): string =>
  sameOptions(url === undefined ? {} : { url });

/** Quoted where a shell would not take it for one word. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The name of the program that this process runs. */
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
