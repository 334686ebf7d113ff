/** Zip archives from the folders of handouts/, and from built files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { VERSION } from '@netd/protocol/version';
import { ROOT } from './bundle.ts';
import { filesAt, type Files } from './files.ts';

/** Local time, as in zip, so that every machine writes the same bytes. */
const TIME = new Date(1985, 9, 26, 8, 15);
const TEXT = /\.(?:md|mjs|json|ya?ml|service|conf|txt|sh|timer|env|toml)$|Caddyfile|Dockerfile/;

/** @returns a zip file that depends only on the files */
export function makeZip(files: Files): Buffer {
  const sorted = Object.keys(files)
    .toSorted()
    .map((name) => [name, files[name] ?? new Uint8Array()]);
  return Buffer.from(zipSync(Object.fromEntries(sorted) as Files, { level: 9, mtime: TIME }));
}

/** Returns a folder, with this build's version in its texts. */
function handout(folder: string): Files {
  const files = Object.entries(filesAt([`handouts/${folder}/**`])).map(([path, bytes]) => {
    const name = path.slice(`handouts/${folder}/`.length);
    return [name, TEXT.test(name) ? withVersion(bytes) : bytes];
  });
  return Object.fromEntries(files) as Files;
}

const withVersion = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(bytes).toString('utf8').replaceAll('@VERSION@', VERSION));

const read = (path: string): Uint8Array => readFileSync(join(ROOT, path));

/**
 * An agent skill in the open format (https://agentskills.io): SKILL.md at the root, and all that its scripts
 * need.
 */
export const agentSkill = (): Buffer =>
  makeZip({
    ...handout('agent-skill'),
    'scripts/net-sdk.mjs': read('packages/sdk/dist/net-sdk.mjs'),
    LICENSE: read('LICENSE'),
  });

/** For operators who hand over a node, a machine or a role. */
export const operatorHandoff = (): Buffer =>
  makeZip({ ...handout('operator-handoff'), LICENSE: read('LICENSE') });

/** Files from the other archive, so that the launch kit is complete. */
export const MONITORING = [
  'alerts.yml',
  'dashboard.json',
  'dashboard-validators.json',
  'dashboard-stores.json',
].map((name) => [`deploy/${name}`, `handouts/operator-handoff/monitoring/${name}`] as const);

/** For operators who start a network. */
export const launchKit = (): Buffer =>
  makeZip({
    ...handout('launch-kit'),
    ...Object.fromEntries(MONITORING.map(([name, path]) => [name, read(path)])),
    LICENSE: read('LICENSE'),
  });
