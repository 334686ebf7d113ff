import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const defaultDataDir = (): string => process.env['NET_DATA_DIR'] ?? '.netd';

export interface SameOptions {
  as?: string;
  url?: string;
  key?: string;
  dataDir?: string;
}

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

export const sameNode = (url: string | undefined): string =>
  sameOptions(url === undefined ? {} : { url });

export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

let own = 'netd';

export function nameProgram(name: string): void {
  own = name;
}

export function programName(env: NodeJS.ProcessEnv = process.env): string {
  // npm extends PATH, so a program found there may be missing in the user's shell.
  if (env['npm_command'] !== undefined) return `npx ${own}`;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, own))) ? own : `npx ${own}`;
}
