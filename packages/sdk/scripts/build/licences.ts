/** The licences of what others wrote and we hand on. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './root.ts';

/** What may be handed on in a bundle as long as its licence goes with it. */
const ALLOWED = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MPL-2.0']);

/**
 * Name, version and licence of every package that the modules come from, with the text of each licence.
 * @throws Error for a licence that is not allowed, or whose text is missing
 */
export function thirdPartyLicences(modules: readonly string[]): string {
  const parts = packageFolders(modules).map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    ) as { name: string; version: string; license: string };
    if (!ALLOWED.has(license)) throw new Error(`${name} is under ${license}`);
    const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} comes without the text of its licence`);
    const text = readFileSync(join(ROOT, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `net-sdk contains parts of the packages below, each under its own licence.\n${rule}${parts.join(rule)}`;
}

/** The folders of the npm packages that modules come from, relative to the repository. */
function packageFolders(modules: readonly string[]): string[] {
  const folders = modules.map((id) => {
    const [, folder] = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id) ?? [];
    return relative(ROOT, folder ?? dirname(id));
  });
  return [...new Set(folders)].toSorted();
}
