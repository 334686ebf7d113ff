/** How this command is called here, so that what is printed works when it is copied. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What has to follow a command to copy, so that it means the same agent and node as this one. */
export function sameOptions({ as, url }: { as?: string; url?: string }): string {
  return `${as === undefined ? '' : ` --as ${as}`}${url === undefined ? '' : ` --url ${url}`}`;
}

export function programName(env: NodeJS.ProcessEnv = process.env): string {
  // npm puts its own folders into the path; the person at the terminal does not have them there.
  if (env['npm_command'] !== undefined) return 'npx netd';
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, 'netd'))) ? 'netd' : 'npx netd';
}
